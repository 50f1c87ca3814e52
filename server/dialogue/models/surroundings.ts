import type { LanguageEngine } from '#server/engines/language/contract';
import type { LanguagePack } from '#server/languages/contract';
import type { ActionTools } from '../actions/tools.ts';
import type { CustomerTurn, ReplyEvent } from '../contract.ts';
import type { Knowing } from '../knowledge/find.ts';

/** The dependencies of a model-driven reply. */
export interface ModelSurroundings {
  /** In the order in which they are asked. */
  models: readonly LanguageEngine[];
  knowing: Knowing;
  /** IANA name of the business's time zone. */
  timeZone: string;
  /** The embedded reader, which answers if no model does. */
  grounded(turn: CustomerTurn, signal: AbortSignal): AsyncIterable<ReplyEvent>;
  /** The agent's actions in a turn, as tools. */
  toolsOf(turn: CustomerTurn, pack: LanguagePack): ActionTools;
  onFailure(model: string, error: unknown): void;
  /** Called with the `reason` when a sentence was withheld. */
  onWithheld(model: string, reason: string): void;
}
