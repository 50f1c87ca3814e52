import type { LanguageEngine } from '#server/engines/language/contract';
import type { LanguagePack } from '#server/languages/contract';
import type { ActionTools } from '../actions/tools.ts';
import type { CustomerTurn, ReplyEvent } from '../contract.ts';
import type { Knowing } from '../knowledge/find.ts';

/** What a model-driven reply is made with. */
export interface ModelSurroundings {
  /** In the order in which they are asked. */
  models: readonly LanguageEngine[];
  knowing: Knowing;
  /** IANA name of the business's time zone. */
  timeZone: string;
  /** The embedded reader, which answers where no model does. */
  grounded(turn: CustomerTurn, signal: AbortSignal): AsyncIterable<ReplyEvent>;
  /** What the turn's agent can do, as tools. */
  toolsOf(turn: CustomerTurn, pack: LanguagePack): ActionTools;
  onFailure(model: string, error: unknown): void;
  /** A sentence was not said, for `reason`. */
  onWithheld(model: string, reason: string): void;
}
