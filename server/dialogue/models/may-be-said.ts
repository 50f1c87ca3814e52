import type { LanguageEngine } from '#server/engines/language/contract';
import type { ToolResult } from '../actions/tools.ts';
import { avoidanceCheck } from '../avoidance.ts';
import type { CustomerTurn } from '../contract.ts';
import { instructionsOf } from '../instructions.ts';
import { admissionBy } from './admission.ts';
import { closerLookBy } from './closer-look.ts';
import { disclosureCheck } from './guardrails.ts';
import { judgeBy } from './judge.ts';
import { Judgements } from './judgements.ts';
import type { ModelUses } from './model-uses.ts';
import { rules } from './prompts.ts';
import { KNOWN, type TurnRead } from './read-turn.ts';
import type { StreamedSentence } from './sentence-stream.ts';
import type { ModelSurroundings } from './surroundings.ts';
import type { TurnSources } from './turn-sources.ts';
import { verdictOf } from './verdict.ts';

/** Decides for each sentence of a model whether it may be said, with the reason. */
export class MayBeSaid {
  readonly judging: Judgements;
  /** Whether a sentence reveals the agent's instructions. */
  readonly discloses: (sentence: string) => boolean;
  /** Whether a sentence has words that the business forbids. */
  readonly avoids: (sentence: string) => boolean;
  /** Results of this turn's tools. */
  readonly results: ToolResult[] = [];
  readonly #sources: TurnSources;
  readonly #uses: ModelUses;
  readonly #signal: AbortSignal;

  constructor(
    { knowing }: ModelSurroundings,
    { agent }: CustomerTurn,
    { pack }: TurnRead,
    sources: TurnSources,
    uses: ModelUses,
    signal: AbortSignal,
  ) {
    this.#sources = sources;
    this.#uses = uses;
    this.#signal = signal;
    const instructions = instructionsOf(agent);
    const { goodbye, answers, handsOver } = instructions;
    const secret = [...rules, ...agent.prompts, ...handsOver].join('\n');
    this.discloses = disclosureCheck(agent, secret, pack.words);
    this.avoids = avoidanceCheck(instructions, pack.words);
    const decided = [...answers.map(({ say }) => say), ...(goodbye ? [goodbye] : [])];
    const look = closerLookBy(knowing.reading, signal);
    this.judging = new Judgements(async () => {
      const { statements, passages, customerSaid, question, isOwnLanguage, now, finding } = sources;
      const told = [...statements, ...agent.prompts, ...decided, ...this.results.flatMap(({ told }) => told)];
      return judgeBy(
        pack,
        {
          told,
          passages: passages.map(({ source, text }) => `${source}: ${text}`),
          everything: () => agent.companyInfo,
          customer: customerSaid,
          names: [agent.name, agent.companyName],
          question,
          isOwnLanguage,
          today: now,
          isKnown: (await finding).confidence >= KNOWN,
          hasActed: this.results.some(({ told }) => told.length > 0),
        },
        look,
      );
    });
  }

  /** A tool has answered: sentences may rest on its result, too. */
  add(result: ToolResult): void {
    this.results.push(result);
    this.judging.forget();
  }

  /** The reason against saying a model's sentence; null without one. */
  async reasonAgainst(model: LanguageEngine, { text, cited }: StreamedSentence): Promise<string | null> {
    if (this.avoids(text)) return 'the business never wants it said';
    const { customerSaid: customer, moment: now } = this.#sources;
    const admits = admissionBy(model.checking, await this.judging.judge(), (sentence, evidence) =>
      verdictOf(model, sentence, { evidence, customer, now }, this.used(model), this.#signal),
    );
    return admits(text, cited);
  }

  /** Counts a model's use. */
  used(model: LanguageEngine): (tokens: { input: number; output: number }) => void {
    return (tokens) => this.#uses.add(model.name, tokens);
  }
}
