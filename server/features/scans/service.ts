import type { Antivirus } from '#server/engines/antivirus/contract';
import { EngineError } from '#server/lib/engine-error';
import { malicious, payloadTooLarge, unavailable } from '#server/lib/errors';
import { refusal } from '#shared/refusals/refusal';

/** What somebody brought here, and who did. */
interface Brought {
  what: 'document' | 'page' | 'recording';
  account: string;
  /** The network address it was sent from; null for what this server fetched. */
  address: string | null;
}

interface ScansDependencies {
  /** Null: nothing is scanned. */
  antivirus: Pick<Antivirus, 'scan'> | null;
  /** Told of what was malicious, for the security log. */
  onMalicious(found: { actor: { id: string; email: string }; subject: string; address: string | null }): void;
  emailOf(account: string): Promise<string>;
}

/** Whatever others send, and this server keeps, reads or serves again, passes by here before. */
export class ScansService {
  readonly #deps: ScansDependencies;

  constructor(deps: ScansDependencies) {
    this.#deps = deps;
  }

  /**
   * Passes bytes on while they are scanned. Only when nothing malicious is in them do they come to an end: whoever keeps
   * them lets go of them at what it throws.
   * @throws AppError malicious; payload-too-large for the scanner; unavailable while nothing can be scanned; whatever `bytes`
   *   throws; the signal's reason
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

  /** Resolves when nothing malicious is in a file. @throws AppError as `pass` */
  async check(file: Uint8Array, brought: Brought, signal?: AbortSignal): Promise<void> {
    for await (const _piece of this.pass(inOnePiece(file), brought, signal)) {
      // Looked at by the scanner alone.
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
