/** What is asked of a server that somebody else runs. */
export interface OutsideRequest {
  url: string;
  /** Whose request it is: those of one account wait for each other, and make nobody else wait. */
  account: string;
  /** Default GET. */
  method?: string;
  /** They go to the server that `url` names and to no other: a redirect elsewhere loses them. */
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** The longest wait for all of it, from its turn to the end of its body, redirects included, in milliseconds. Default 15 s. */
  timeoutMs?: number;
  /** Bytes of its body, unpacked. Default 5 MB. */
  maxBytes?: number;
  /** Redirects that a GET follows; every other method follows none. Default 5. */
  maxRedirects?: number;
  /**
   * Hosts (`erp.internal`, `10.0.0.7`), with their port or without, that may lie in a private network: whoever runs this
   * server named them. Every other one must have public addresses only.
   */
  privateHosts?: readonly string[];
}

export interface OutsideAnswer {
  /** Where it came from at last. */
  url: string;
  /** Whatever its status. Reading its body rejects as `fetch` does once it is too long or too slow. */
  response: Response;
}

/**
 * Servers of other people, by addresses that somebody typed. Whatever it is told, it connects to no private, loopback,
 * link-local, metadata or multicast address: not by name, by DNS, or by a redirect.
 */
export interface Outside {
  /**
   * @throws EngineError with a sentence that is safe to show, `retryable` when the same may succeed later; the signal's
   *   reason
   */
  fetch(request: OutsideRequest, signal?: AbortSignal): Promise<OutsideAnswer>;
}
