/** A request to a third party's server. */
export interface OutsideRequest {
  url: string;
  /** The requesting account. Requests queue per account, so none delays another account. */
  account: string;
  /** Default GET. */
  method?: string;
  /** Sent only to the server in `url`: a redirect elsewhere drops them. */
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Longest wait in milliseconds, queue to end of body, redirects included. Default 15 s. */
  timeoutMs?: number;
  /** Most bytes of the body, unpacked. Default 5 MB. */
  maxBytes?: number;
  /** Redirects to follow for GET; other methods follow none. Default 5. */
  maxRedirects?: number;
  /**
   * Hosts (`erp.internal`, `10.0.0.7`), with or without port, that may be in a private network, as the
   * operator allowed. All others must have public addresses only.
   */
  privateHosts?: readonly string[];
}

export interface OutsideAnswer {
  /** The final address after redirects. */
  url: string;
  /** Any status. Reading its body rejects as `fetch` does when it is too long or too slow. */
  response: Response;
}

/**
 * Fetches from third parties at addresses that users typed. Never connects to a private, loopback,
 * link-local, metadata or multicast address, whether by address, by DNS or by redirect.
 */
export interface Outside {
  /**
   * @throws EngineError with a sentence that is safe to show, `retryable` when a later try may succeed; the
   * signal's reason
   */
  fetch(request: OutsideRequest, signal?: AbortSignal): Promise<OutsideAnswer>;
}
