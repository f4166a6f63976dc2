
/** A column of a result. */
export interface Column {
  name: string;
  /** The SQL type. */
  type: string;
}

/** What a call returned. */
export interface Result<Row> {
  table_schema: Column[];
  rows: Row[];
  returned_result_count: number;
  /** How many rows there are in all, where that is known. */
  total_result_count: number | null;
  /** Whether there are more rows than were returned. */
  truncated: boolean;
  /** What to know of the result. */
  notes?: string[];
  /** The argument `cursor` of the call for the next page. */
  next_cursor?: string;
}

/** A call that failed. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  /** The status code of the HTTP response. */
  readonly status: number;
  /** What kind of failure, kebab-case; `http-error` where the response was none of this API. */
  readonly code: string;
  /** The parameter that it is about. */
  readonly parameter: string | undefined;
  /** What would have been accepted. */
  readonly expected: string | undefined;
  /** What was sent, shortened. */
  readonly got: string | undefined;
  /** Accepted values, the nearest first. */
  readonly allowed: readonly unknown[];
  /** What to do. */
  readonly hint: string | undefined;

  constructor(status: number, error: Readonly<Record<string, unknown>>) {
    super(text(error["message"]) ?? `the server answered with status ${status}`);
    this.status = status;
    this.code = text(error["code"]) ?? "http-error";
    this.parameter = text(error["parameter"]);
    this.expected = text(error["expected"]);
    this.got = text(error["got"]);
    this.allowed = Array.isArray(error["allowed"]) ? error["allowed"] : [];
    this.hint = text(error["hint"]);
  }
}

/** As much of `fetch` as is used. */
export type Fetch = (
  url: string,
  init: { method: "POST"; headers: Record<string, string>; body: string; redirect: "manual" },
) => Promise<{ ok: boolean; status: number; text(): Promise<string> }>;

export interface Options {
  /** The bearer token. */
  token?: string | undefined;
  /** What sends requests, instead of the global `fetch`: for timeouts, proxies and retries. */
  fetch?: Fetch | undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

class Connection {
  readonly #url: string;
  readonly #token: string | undefined;
  readonly #fetch: Fetch;

  constructor(url: string, options: Options) {
    const send = options.fetch ?? (globalThis as unknown as { fetch?: Fetch }).fetch;
    if (send === undefined) {
      throw new TypeError("there is no global `fetch` here: give one in the options");
    }
    this.#url = url.replace(/\/+$/, "");
    this.#token = options.token;
    this.#fetch = send;
  }

  async call<Row>(tool: string, args: object): Promise<Result<Row>> {
    const headers: Record<string, string> = { "accept": "application/json", "content-type": "application/json" };
    if (this.#token !== undefined) {
      headers["authorization"] = `Bearer ${this.#token}`;
    }
    // As a method of this object, the `fetch` of browsers refuses to run.
    const send = this.#fetch;
    // A redirection could send the token elsewhere.
    const init = { method: "POST", headers, body: JSON.stringify(args), redirect: "manual" } as const;
    const response = await send(`${this.#url}/tools/${tool}`, init);
    const content = parsed(await response.text());
    if (!response.ok || !isObject(content) || !Array.isArray(content["rows"])) {
      const error = isObject(content) && isObject(content["error"]) ? content["error"] : {};
      throw new ToolError(response.status, error);
    }
    return content as unknown as Result<Row>;
  }
}
