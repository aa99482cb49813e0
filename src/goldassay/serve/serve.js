// The local page and the leaderboard: theme, copying, forms that take a while, and pages that wait for an answer.

const root = document.documentElement;
const theme = document.getElementById("theme");
const isDark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
function setTheme(name) {
  if (name) root.dataset.theme = name;
  theme.textContent = isDark() ? "Light theme" : "Dark theme";
}
setTheme(sessionStorage.getItem("theme"));
theme.hidden = false;
theme.addEventListener("click", () => { const name = isDark() ? "light" : "dark"; sessionStorage.setItem("theme", name); setTheme(name); });

for (const button of document.querySelectorAll("[data-copy]")) {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent).then(
      () => { button.textContent = "Copied"; },
      () => { button.textContent = "Copy failed: select the text"; },
    );
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}

// A server that refuses a large file closes the connection, which a browser shows as an error of its own: so this is said before.
function tooLarge(form) {
  const megabytes = Number(form.dataset.megabytes);
  const files = [...form.querySelectorAll("input[type=file]")].flatMap((one) => [...one.files]);
  const sum = files.reduce((found, file) => found + file.size, 0) / 2 ** 20;
  return megabytes && sum > megabytes ? `These files have ${sum.toFixed(0)} MB, and at most ${megabytes} MB can be taken.` : "";
}

for (const form of document.querySelectorAll("form[data-busy]")) {
  const button = form.querySelector("button[type=submit]"), label = button.textContent;
  const problem = form.querySelector("[data-problem]");
  form.addEventListener("submit", (event) => {
    const found = tooLarge(form);
    if (problem) { problem.textContent = found; problem.hidden = !found; }
    if (found) { event.preventDefault(); return; }
    button.disabled = true;
    button.textContent = form.dataset.busy;
  });
  // The page as it was, when somebody comes back to it.
  addEventListener("pageshow", () => { button.disabled = false; button.textContent = label; });
}

const waiting = document.querySelector("[data-wait]");
async function look() {
  try {
    const found = await (await fetch(waiting.dataset.wait)).json();
    if (found.done ?? !["queued", "running"].includes(found.state)) { location.reload(); return; }
    const seconds = waiting.querySelector("[data-seconds]");
    if (seconds) seconds.textContent = `(${found.seconds} s)`;
  } catch { /* the server may be starting again */ }
  setTimeout(look, 700);
}
if (waiting) look();

// -- the leaderboard -----------------------------------------------------------------------------------------------

const upload = document.querySelector("[data-upload]");
upload?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = upload.querySelector("button"), label = button.textContent, problem = upload.querySelector("[data-problem]");
  const [file] = upload.querySelector("#file").files;
  const address = `${upload.dataset.upload}?${new URLSearchParams({ name: file.name, phase: upload.querySelector("#phase").value })}`;
  problem.hidden = true;
  button.disabled = true;
  button.textContent = "Sending ...";
  try {
    if (tooLarge(upload)) throw new Error(tooLarge(upload));
    const headers = { Authorization: `Bearer ${upload.querySelector("#token").value.trim()}` };
    const answer = await fetch(address, { method: "POST", body: file, headers });
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.error);
    location.href = found.page;
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
    button.disabled = false;
    button.textContent = label;
  }
});

const live = document.querySelector("[data-live]");
async function renew() {
  try {
    if (!document.hidden && !live.contains(document.activeElement)) {
      const found = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
      const fresh = found.getElementById(live.id);
      if (fresh && fresh.textContent !== live.textContent) live.replaceChildren(...fresh.childNodes);
    }
  } catch { /* the server may be starting again */ }
  setTimeout(renew, 5000);
}
if (live) setTimeout(renew, 5000);

// What a team has sent: it takes a submission back, or chooses the one that counts.
const own = document.querySelector("[data-own]");
const bearer = () => ({ Authorization: `Bearer ${own.querySelector("#own-token").value.trim()}` });
function cell(row, content, name = "") {
  const made = row.insertCell();
  made.className = name;
  made.append(content);
}
function addRow(body, one) {
  const row = body.insertRow(), value = one.values?.[body.dataset.measure]?.[body.dataset.value];
  const page = Object.assign(document.createElement("a"), { href: one.page, textContent: one.received.slice(0, 16).replace("T", " ") });
  cell(row, page, "still");
  for (const text of [one.phase, one.name, one.state]) cell(row, text);
  cell(row, value == null ? "" : value.toFixed(body.dataset.digits), "number");
  cell(row, one.withdrawn ? "withdrawn" : one.chosen ? "chosen" : "");
  const buttons = document.createElement("span");
  for (const [name, label, done] of [["choose", "Choose", one.chosen], ["withdraw", "Withdraw", one.withdrawn]]) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: label, disabled: done });
    button.addEventListener("click", () => showOwn(() => fetch(`${own.dataset.own}/${one.id}/${name}`, { method: "POST", headers: bearer() })));
    buttons.append(button, " ");
  }
  cell(row, buttons);
}
async function showOwn(change) {
  const problem = own.querySelector("[data-problem]"), body = own.querySelector("tbody");
  problem.hidden = true;
  try {
    for (const ask of [change, () => fetch(own.dataset.own, { headers: bearer() })]) {
      const answer = await ask?.(), found = await answer?.json();
      if (answer && !answer.ok) throw new Error(found.error);
      if (!found?.submissions) continue;
      body.replaceChildren();
      for (const one of found.submissions) addRow(body, one);
      own.querySelector("[role=region]").hidden = false;
    }
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
  }
}
own?.addEventListener("submit", (event) => { event.preventDefault(); showOwn(); });

// An invitation: its code is behind # in the address.
const joining = document.querySelector("[data-join]");
joining?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const problem = joining.querySelector("[data-problem]"), made = document.querySelector("[data-token]");
  problem.hidden = true;
  try {
    const body = JSON.stringify({ code: location.hash.slice(1), name: joining.querySelector("#team").value });
    const answer = await fetch(joining.dataset.join, { method: "POST", body, headers: { "Content-Type": "application/json" } });
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.error);
    made.querySelector("pre").textContent = found.token;
    made.hidden = false;
    joining.hidden = true;
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
  }
});
