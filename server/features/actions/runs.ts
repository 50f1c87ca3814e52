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

/** The turn in which an action runs. */
export interface RunContext {
  agent: AgentProfile;
  /** The contact served. */
  scope: ContactScope;
  conversationId: string;
  /** The customer's message; the first of several that are answered together. */
  turnId: string;
  /**
   * The call of a room, in which each participant has a conversation record; null: the conversation is a call by
   * itself.
   */
  sharedCallId: string | null;
  /** Masks a value for storage. */
  masked(value: string): string;
}

/** The longest run, whatever its engine does, in milliseconds: two attempts and a margin. */
const RUN_MS = 20_000;
/** Outcomes after which the same key may run again: the action did not happen, or changes nothing. */
const AFTER_NOTHING = ['failed', 'refused'] as const;
const ALWAYS = ['running', 'done', 'unknown', ...AFTER_NOTHING] as const;

/** Runs actions in turns, and records the runs. */
export class ActionRuns {
  readonly #repository: ActionsRepository;
  readonly #engine: ActionsEngine;
  /** Running actions by their key: a second request joins the first. */
  readonly #underWay = new Map<string, { account: string; running: Promise<ActionResult> }>();
  readonly #closing = new AbortController();
  readonly #limitMs: number;

  constructor(repository: ActionsRepository, engine: ActionsEngine, limitMs = RUN_MS) {
    this.#repository = repository;
    this.#engine = engine;
    this.#limitMs = limitMs;
  }

  /**
   * Runs an action once for a turn; an action that the customer confirms, once for a conversation, or in a room once
   * for all participants. A started run is finished and recorded even if the turn is interrupted: the turn asked again
   * finds it here.
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

  /** Asks the system regardless of earlier runs. Records nothing. */
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
    // A lookup without a sentence to say has failed; a change has happened regardless.
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

  /** Gives running actions a moment to end, then cancels them and records them as unknown. */
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
        // A lookup changed nothing.
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

/** A language model may write half of a surrogate pair, which neither addresses nor the database accept. */
const sound = (inputs: ActionCall['inputs']): ActionCall['inputs'] =>
  Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, storable(value)]));

const saidInput = (label: string, value: string | undefined) =>
  value === undefined ? [] : [{ label, value }];

/** The result of a run in another process is unknown until it ends. */
const resultOf = ({ outcome, said }: RunRecord, isRepeated: boolean): ActionResult =>
  outcome === 'done'
    ? { outcome, said: said ?? '', answer: null, isRepeated }
    : { outcome: outcome === 'running' ? 'unknown' : outcome };

/** The system's answer belongs to the participant who asked: others hear only that it is done. */
const withoutAnswer = (result: ActionResult): ActionResult =>
  result.outcome === 'done' ? { outcome: 'done', said: '', answer: null, isRepeated: true } : result;

/** The keys that identify a request. */
interface WishKeys {
  /**
   * Within a conversation: the same action with the same inputs, in this turn, or in any turn if the customer confirms
   * it.
   */
  key: string;
  /** Within a room, for a confirmed change: only the holder of the claim runs it. Null elsewhere. */
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
