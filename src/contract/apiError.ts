/** An error of the server, or a network failure (`code` 0). */
export class ApiError extends Error {
  readonly code: number;
  /** The request field of the message, if there is one. */
  readonly field: string | undefined;
  /** Further facts, e.g. unmet closing criteria. */
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
    this.field =
      typeof data === 'object' && data !== null && 'field' in data && typeof data.field === 'string' ? data.field : undefined;
  }
}
