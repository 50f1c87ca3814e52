import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { ActionCall, ActionResult, AgentProfile } from '#server/dialogue/contract';
import type { ActionsEngine, SystemAnswer } from '#server/engines/actions/contract';
import { packOf } from '#server/languages/index';
import { accountOf, type ContactScope } from '#server/lib/scope';
import { timeLimit, untilAborted } from '#server/lib/wait';
import type { TriedAction } from '#shared/actions';
import { storable } from '#shared/storable';
import { fillBody, fillHeaders, fillSays, fillUrl } from './fill.ts';
import type { ActionRecord, ActionsRepository, RunRecord } from './repository.ts';

/** An action with the values of its headers. */
export interface UnsealedAction extends Omit<ActionRecord, 'sealedHeaders' | 'headerNames'> {
  headers: Readonly<Record<string, string>>;
}

/** The turn in which an action is run. */
export interface RunContext {
  agent: AgentProfile;
  /** Of whom it serves. */
  scope: ContactScope;
  conversationId: string;
  /** The customer's message; of several that are answered as one, the first. */
  turnId: string;
  /** The call of a room, which several people's conversations are records of; null: the conversation is a call by itself. */
  sharedCallId: string | null;
  /** What of a value may be kept. */
  masked(value: string): string;
}

/** The longest that a run may take, whatever its engine does, in milliseconds: two attempts, and a little. */
const RUN_MS = 20_000;
/** What may be run again under the same key: what did not happen, or changes nothing. */
const AFTER_NOTHING = ['failed', 'refused'] as const;
const ALWAYS = ['running', 'done', 'unknown', ...AFTER_NOTHING] as const;

/** Runs actions in turns, and keeps what was run. */
export class ActionRuns {
  readonly #repository: ActionsRepository;
  readonly #engine: ActionsEngine;
  /** By what names the wish: what goes on is joined, not begun again. */
  readonly #underWay = new Map<string, { account: string; running: Promise<ActionResult> }>();
  readonly #closing = new AbortController();
  readonly #limitMs: number;

  constructor(repository: ActionsRepository, engine: ActionsEngine, limitMs = RUN_MS) {
    this.#repository = repository;
    this.#engine = engine;
    this.#limitMs = limitMs;
  }

  /**
   * Runs an action once for a turn; one that the customer confirms once for a conversation, and in a room once for everybody
   * there. What is begun is finished and written down though nobody waits for it any more: a turn that is interrupted and asked
   * again meets it here.
   */
  run(
    action: UnsealedAction,
    context: RunContext,
    given: ActionCall,
    signal: AbortSignal,
  ): Promise<ActionResult> {
    const call = { ...given, inputs: sound(given.inputs) };
    const account = accountOf(context.scope);
    const keys = keysOf(action, context, call.inputs);
    const name = keys.claim ?? keys.key;
    let underWay = this.#underWay.get(name);
    if (!underWay) {
      const running = this.#once(action, context, call, keys).finally(() => this.#underWay.delete(name));
      running.catch(() => {});
      underWay = { account, running };
      this.#underWay.set(name, underWay);
    }
    const { running } = underWay;
    return untilAborted(underWay.account === account ? running : running.then(withoutAnswer), signal);
  }

  /** Asks the system, whatever was asked before. Nothing is written down. */
  async ask(
    action: UnsealedAction,
    agent: AgentProfile,
    given: ActionCall['inputs'],
    idempotencyKey: string | undefined,
    signal: AbortSignal,
  ): Promise<TriedAction & { result: SystemAnswer['outcome'] }> {
    const { method, tool, body, says } = action;
    const account = agent.ownerId ?? agent.id;
    const inputs = sound(given);
    const url = fillUrl(action.url, inputs);
    const headers = fillHeaders(action.headers, inputs);
    const filled = fillBody(body ?? undefined, inputs);
    const answer: SystemAnswer =
      url === null
        ? {
            outcome: 'refused',
            status: null,
            ms: 0,
            answer: null,
            problem: 'An input does not fit into the address.',
          }
        : method === 'MCP'
          ? await this.#engine.callTool(
              {
                account,
                url,
                headers,
                tool: tool ?? '',
                input: inputs,
                ...(idempotencyKey ? { idempotencyKey } : {}),
              },
              signal,
            )
          : await this.#engine.call(
              {
                account,
                method,
                url,
                headers,
                ...(filled === undefined ? {} : { body: filled }),
                ...(idempotencyKey && method !== 'GET' ? { idempotencyKey } : {}),
              },
              signal,
            );
    const told = answer.outcome === 'done' ? fillSays(says, inputs, answer.answer) : null;
    const missing = told && 'missing' in told ? told.missing : null;
    // What was only looked up and cannot be told is no help; what was done is done.
    const result = missing !== null && method === 'GET' ? 'failed' : answer.outcome;
    const { say, personaOf } = packOf(agent.language);
    const voice = {
      persona: personaOf(agent),
      agentName: agent.name,
      companyName: agent.companyName,
      turn: 0,
    };
    const sentences = {
      done: () => [told && 'said' in told ? told.said : say.done(voice)],
      refused: () => [
        say.notFoundWith(action.inputs.flatMap(({ name, label }) => saidInput(label, inputs[name]))),
      ],
      failed: () => say.cannotReach(voice),
      unknown: () => say.maybeDone(voice),
    };
    const problem = missing === null ? answer.problem : `The answer has nothing to say for ${missing}.`;
    return {
      request: {
        method,
        url: url ?? action.url,
        headers: Object.fromEntries(Object.keys(headers).map((name) => [name, null])),
        ...(filled === undefined ? {} : { body: filled as TriedAction['response'] }),
      },
      status: answer.status,
      ms: answer.ms,
      response: (answer.answer ?? null) as TriedAction['response'],
      said: sentences[result]().join(' '),
      ...(problem ? { problem } : {}),
      result,
    };
  }

  /** What is under way may end within a moment; then it is given up, and written down as unknown. */
  async close(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#closing.abort(new Error('The server stops.')), graceMs);
    await Promise.allSettled([...this.#underWay.values()].map(({ running }) => running));
    clearTimeout(timer);
  }

  async #once(
    action: UnsealedAction,
    context: RunContext,
    { inputs }: ActionCall,
    { key, claim }: WishKeys,
  ): Promise<ActionResult> {
    const { agent, conversationId, scope, turnId, masked } = context;
    const { run, isNew } = await this.#repository.begin(
      {
        id: uuidv7(),
        conversationId,
        contactId: scope.contactId,
        actionId: action.id,
        name: action.name,
        key,
        claim,
        turnId,
        inputs: Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, masked(value)])),
        at: new Date(),
      },
      action.method === 'GET' ? ALWAYS : AFTER_NOTHING,
    );
    if (!isNew) {
      const result = resultOf(run, run.turnId !== turnId);
      return run.contactId === scope.contactId ? result : withoutAnswer(result);
    }
    const ends = AbortSignal.any([this.#closing.signal, timeLimit(this.#limitMs)]);
    const end = await untilAborted(this.ask(action, agent, inputs, claim ?? key, ends), ends).catch(
      (error: unknown) => ({
        // What was only looked up did nothing.
        result: action.method === 'GET' ? ('failed' as const) : ('unknown' as const),
        status: null,
        ms: null,
        said: null,
        response: null,
        problem: error instanceof Error ? 'It was broken off.' : null,
      }),
    );
    const finished = {
      outcome: end.result,
      status: end.status,
      ms: end.ms,
      said: end.said === null ? null : masked(end.said),
      problem: end.problem ?? null,
    };
    await this.#repository.finish(run.id, finished);
    return end.result === 'done'
      ? { outcome: 'done', said: end.said ?? '', answer: end.response, isRepeated: false }
      : { outcome: end.result };
  }
}

/** A language model may write half a letter, which no address and no database holds. */
const sound = (inputs: ActionCall['inputs']): ActionCall['inputs'] =>
  Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, storable(value)]));

const saidInput = (label: string, value: string | undefined) =>
  value === undefined ? [] : [{ label, value }];

/** Of one that is still running in another process, nobody knows. */
const resultOf = ({ outcome, said }: RunRecord, isRepeated: boolean): ActionResult =>
  outcome === 'done'
    ? { outcome, said: said ?? '', answer: null, isRepeated }
    : { outcome: outcome === 'running' ? 'unknown' : outcome };

/** What the system answered somebody else in the room is theirs: that it is done is all that anybody else hears. */
const withoutAnswer = (result: ActionResult): ActionResult =>
  result.outcome === 'done' ? { outcome: 'done', said: '', answer: null, isRepeated: true } : result;

/** What names a wish. */
interface WishKeys {
  /** Within a conversation: the same action with the same inputs, in this turn, or, where the customer confirms it, at all. */
  key: string;
  /** Within a room, for what changes something and is confirmed: whoever has it does it, and nobody else. Null elsewhere. */
  claim: string | null;
}

function keysOf(
  { id, confirm, method }: UnsealedAction,
  { conversationId, turnId, sharedCallId }: RunContext,
  inputs: ActionCall['inputs'],
): WishKeys {
  const sorted = Object.entries(inputs).sort(([one], [other]) => (one < other ? -1 : 1));
  const named = (...where: (string | null)[]) =>
    createHash('sha256')
      .update(JSON.stringify([...where, id, sorted]))
      .digest('base64url');
  return {
    key: named(conversationId, confirm ? null : turnId),
    claim: sharedCallId !== null && confirm && method !== 'GET' ? named(sharedCallId, null) : null,
  };
}
