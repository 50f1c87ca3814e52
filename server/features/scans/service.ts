import type { Antivirus } from '#server/engines/antivirus/contract';
import { EngineError } from '#server/lib/engine-error';
import { malicious, payloadTooLarge, unavailable } from '#server/lib/errors';
import { refusal } from '#shared/refusals/refusal';

/** A file and the account that brought it. */
interface Brought {
  what: 'document' | 'page' | 'recording';
  account: string;
  /** The network address of the sender; null if this server fetched it. */
  address: string | null;
}

interface ScansDependencies {
  /** Null: no scanning. */
  antivirus: Pick<Antivirus, 'scan'> | null;
  /** Called for a malicious file, for the security log. */
  onMalicious(found: { actor: { id: string; email: string }; subject: string; address: string | null }): void;
  emailOf(account: string): Promise<string>;
}

/** Scans all outside files that this server keeps, reads or serves. */
export class ScansService {
  readonly #deps: ScansDependencies;

  constructor(deps: ScansDependencies) {
    this.#deps = deps;
  }

  /**
   * Passes bytes on while scanning them. The stream ends only if they are clean: on an error, the receiver must delete
   * them.
   * @throws AppError malicious; payload-too-large for the scanner; unavailable while scanning is impossible; errors of
   *   `bytes`; the signal's reason
   */
  async *pass(
    bytes: AsyncIterable<Uint8Array>,
    brought: Brought,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { antivirus } = this.#deps;
    if (!antivirus) return yield* bytes;
    const { what } = brought;
    try {
      const verdict = yield* antivirus.scan(bytes, signal);
      if (verdict.is === 'too-large') throw payloadTooLarge(`scans.${what}-too-large`);
      if (verdict.is === 'infected') {
        await this.#note(brought, verdict.name);
        throw malicious(refusal(`scans.${what}-malicious`, { name: verdict.name }));
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof EngineError)) throw error;
      throw unavailable(`scans.${what}-unscanned`, error);
    }
  }

  /** Resolves if a file is clean. @throws AppError as `pass` */
  async check(file: Uint8Array, brought: Brought, signal?: AbortSignal): Promise<void> {
    for await (const _piece of this.pass(inOnePiece(file), brought, signal)) {
      // Only the scanner looks at them.
    }
  }

  async #note({ what, account, address }: Brought, name: string): Promise<void> {
    const email = await this.#deps.emailOf(account).catch(() => '');
    const subject = `${what}: ${name}`;
    this.#deps.onMalicious({ actor: { id: account, email }, subject, address });
  }
}

async function* inOnePiece(file: Uint8Array): AsyncGenerator<Uint8Array> {
  yield file;
}
