# goldassay with the weights of its default encoder. Build it from what `make packages sbom` puts into dist, which also pins all versions:
#   docker build -t goldassay . && docker run --rm -v "$PWD:/data" goldassay taxonomy learned.ttl --gold reference.owl
FROM python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS installed
COPY dist/*.whl dist/constraints.txt /wheels/
RUN python -m venv --without-pip /opt/goldassay \
    && python -m pip --python /opt/goldassay install --no-cache-dir --only-binary :all: --find-links /wheels --constraint /wheels/constraints.txt "goldassay[all]"

FROM python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
LABEL org.opencontainers.image.source=https://github.com/OWNER/goldassay
COPY --from=installed /opt/goldassay /opt/goldassay
ENV PATH=/opt/goldassay/bin:$PATH GOLDASSAY_CACHE_DIR=/tmp/goldassay
RUN useradd --uid 1000 --no-create-home goldassay
USER 1000
WORKDIR /data
ENTRYPOINT ["goldassay"]
CMD ["--help"]
