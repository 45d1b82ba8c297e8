// Requests to the server: JSON, with the token that only this page knows; pictures, held in memory alone.

let csrf = "";
let left = () => {};

/** A refusal: status of the answer and a text for people. */
export class Refused extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

/** Call this when the session has ended. */
export function whenLeft(does) {
  left = does;
}

/** Who is signed in. */
export async function me() {
  const found = await asked("GET", "/api/me");
  csrf = found.csrf;
  return found;
}

export const get = (path) => asked("GET", path);

/** Send something. `last`: the page is going away, the request must outlive it. */
export async function post(path, body, last = false) {
  try {
    return await asked("POST", path, body, last);
  } catch (error) {
    if (error.status !== 403 || last) throw error;
    await me(); // another tab may have taken a new token
    return asked("POST", path, body, last);
  }
}

export async function signIn(name, password) {
  const found = await post("/api/sign-in", { name, password });
  csrf = found.csrf;
  return found;
}

async function asked(method, path, body, keepalive = false) {
  const headers = method === "GET" ? {} : { "content-type": "application/json", "x-csrf-token": csrf };
  const sent = body === undefined ? undefined : JSON.stringify(body);
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: sent, keepalive, credentials: "same-origin", redirect: "error" });
  } catch {
    throw new Refused(0, "The server can't be reached.");
  }
  const told = await answer.json().catch(() => ({}));
  if (answer.ok) return told;
  if (answer.status === 401 && path !== "/api/sign-in") left();
  throw new Refused(answer.status, told.problem ?? `The server says ${answer.status}.`);
}

const held = new Map();
/** Milliseconds that a picture is kept after it was let go: an image that was just given it may still be reading it. */
const LINGER = 2000;

/** A picture, as an URL of this page's memory. Asked for again, it is there at once. */
export function picture(name) {
  if (!held.has(name)) held.set(name, fetched(name));
  return held.get(name);
}

/** Let go of all pictures but these. */
export function keepOnly(names) {
  const kept = new Set(names);
  for (const [name, one] of held) {
    if (kept.has(name)) continue;
    held.delete(name);
    one.then((url) => setTimeout(() => URL.revokeObjectURL(url), LINGER)).catch(() => {});
  }
}

async function fetched(name) {
  try {
    const answer = await fetch(`/picture/${name}`, { cache: "no-store", credentials: "same-origin" });
    if (answer.status === 401) left();
    if (!answer.ok) throw new Refused(answer.status, "The picture can't be shown.");
    return URL.createObjectURL(await answer.blob());
  } catch (error) {
    held.delete(name);
    throw error instanceof Refused ? error : new Refused(0, "The server can't be reached.");
  }
}
