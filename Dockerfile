# goldassay with the weights of its default encoder. Build it from what `make packages` puts into dist:
#   docker build -t goldassay . && docker run --rm -v "$PWD:/data" goldassay taxonomy learned.ttl --gold reference.owl
FROM python:3.13-slim AS installed
COPY dist/*.whl /wheels/
RUN python -m venv --without-pip /opt/goldassay \
    && python -m pip --python /opt/goldassay install --no-cache-dir --only-binary :all: --find-links /wheels "goldassay[all]"

FROM python:3.13-slim
COPY --from=installed /opt/goldassay /opt/goldassay
ENV PATH=/opt/goldassay/bin:$PATH GOLDASSAY_CACHE_DIR=/tmp/goldassay
RUN useradd --uid 1000 --no-create-home goldassay
USER 1000
WORKDIR /data
ENTRYPOINT ["goldassay"]
CMD ["--help"]
