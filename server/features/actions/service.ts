import { setImmediate as turn } from 'node:timers/promises';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { ActionCall, ActionResult, AgentAction, AgentProfile } from '#server/dialogue/contract';
import type { ActionsEngine } from '#server/engines/actions/contract';
import type { AgentsService } from '#server/features/agents/service';
import type { ConversationsService } from '#server/features/conversations/service';
import { EngineError } from '#server/lib/engine-error';
import { conflict, inItsWords, invalidInput, notFound } from '#server/lib/errors';
import { patternProblem } from '#server/lib/linear-pattern';
import type { Sight } from '#server/lib/principal';
import { accountOf, type Scope } from '#server/lib/scope';
import type { Seal } from '#server/lib/seal';
import {
  type Action,
  type ActionDraft,
  type ActionInput,
  type ActionRun,
  MAX_ACTIONS_PER_AGENT,
  type OfferedTool,
  type ToolServer,
  type TriedAction,
} from '#shared/actions';
import { refusal, sentenceOf } from '#shared/refusals/refusal';
import { offeredTool } from './offered-tool.ts';
import type { ActionRecord, ActionsRepository, ActionText, RunRecord } from './repository.ts';
import { ActionRuns, type RunContext, type UnsealedAction } from './runs.ts';

interface ActionsDependencies {
  repository: ActionsRepository;
  agents: Pick<AgentsService, 'profileFor'>;
  conversations: Pick<ConversationsService, 'seenRecord'>;
  engine: ActionsEngine;
  /** Encrypts the values of headers. */
  seal: Seal;
}

const GRACE_MS = 3_000;

/**
 * The actions of agents in the business's own systems. Methods that need an agent or an action throw `notFound` for an
 * id that is malformed, missing or of another workspace.
 */
export class ActionsService {
  readonly #deps: ActionsDependencies;
  readonly #runs: ActionRuns;

  constructor(deps: ActionsDependencies) {
    this.#deps = deps;
    this.#runs = new ActionRuns(deps.repository, deps.engine);
  }

  /** Oldest first. */
  async list(scope: Scope, agentId: string): Promise<Action[]> {
    await this.#agent(scope, agentId);
    return (await this.#deps.repository.list(scope, agentId)).map(present);
  }

  /**
   * @throws AppError invalid-input for a header without a value or an unusable pattern, conflict when the agent has the
   *   most actions allowed
   */
  async create(scope: Scope, agentId: string, draft: ActionDraft): Promise<Action> {
    await this.#agent(scope, agentId);
    refuseUnknownPatterns(draft);
    const id = uuidv7();
    const headers = await this.#keptHeaders(scope, agentId, draft);
    const record = await this.#deps.repository.insert(
      scope,
      agentId,
      id,
      this.#textOf(id, draft, headers),
      MAX_ACTIONS_PER_AGENT,
    );
    if (!record) throw tooMany();
    return present(record);
  }

  /** A null header keeps its value while the address stays on the same server; a change without headers keeps all. */
  async update(scope: Scope, agentId: string, id: string, draft: ActionDraft): Promise<Action> {
    const before = await this.#action(scope, agentId, id);
    refuseUnknownPatterns(draft);
    const names = Object.keys(before.headers);
    const wanted = draft.headers ?? Object.fromEntries(names.map((name) => [name, null]));
    const headers = merged(wanted, isSameServer(before.url, draft.url) ? before.headers : {});
    const record = await this.#deps.repository.update(scope, agentId, id, this.#textOf(id, draft, headers));
    if (!record) throw missing();
    return present(record);
  }

  async delete(scope: Scope, agentId: string, id: string): Promise<void> {
    const isTheirs = isUuid(agentId) && isUuid(id);
    if (!isTheirs || !(await this.#deps.repository.delete(scope, agentId, id))) throw missing();
  }

  /** Sends a real request with the owner's inputs; stores nothing. */
  async try(
    scope: Scope,
    agentId: string,
    id: string,
    inputs: ActionCall['inputs'],
    signal: AbortSignal,
  ): Promise<TriedAction> {
    const agent = await this.#agent(scope, agentId);
    const action = await this.#action(scope, agentId, id);
    const lacking = action.inputs.find(({ name, required }) => required && !inputs[name]?.trim());
    if (lacking)
      throw invalidInput(
        refusal('actions.input-value-missing', { label: lacking.label }),
        `inputs.${lacking.name}`,
      );
    const { result: _, ...tried } = await this.#runs.ask(
      action,
      agent,
      known(action.inputs, inputs),
      uuidv7(),
      signal,
    );
    return tried;
  }

  /** The tools of a server as actions. @throws AppError invalid-input with the server's problem */
  async tools(
    scope: Scope,
    agentId: string,
    server: ToolServer,
    signal: AbortSignal,
  ): Promise<OfferedTool[]> {
    await this.#agent(scope, agentId);
    const headers = await this.#keptHeaders(scope, agentId, server);
    try {
      const tools = await this.#deps.engine.tools(
        { account: accountOf(scope), url: server.url, headers },
        signal,
      );
      const offered: OfferedTool[] = [];
      for (const tool of tools) {
        offered.push(offeredTool(tool));
        // Two hundred tools take a while: lets other work run in between.
        await turn();
      }
      return offered;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      throw invalidInput(inItsWords(error), 'url');
    }
  }

  /** What was run in a conversation that somebody sees, oldest first. */
  async runsOf(sight: Sight, conversationId: string): Promise<ActionRun[]> {
    const record = await this.#deps.conversations.seenRecord(sight, conversationId);
    return (await this.#deps.repository.runs(record, record.id)).map(presentRun);
  }

  /** The actions of an agent in a call. */
  async listFor({ id, ownerId }: AgentProfile): Promise<AgentAction[]> {
    if (ownerId === undefined || !isUuid(id)) return [];
    const records = await this.#deps.repository.list({ workspaceId: ownerId, contactId: null }, id);
    return records.map(({ id, name, when, inputs, confirm }) => ({
      id,
      name,
      when,
      inputs: inputs.map(withoutUnknownPattern),
      confirm,
    }));
  }

  /** Runs an action in an accepted turn: see `ActionRuns.run`. */
  async run(context: RunContext, call: ActionCall, signal: AbortSignal): Promise<ActionResult> {
    const { id, ownerId } = context.agent;
    const record =
      ownerId !== undefined && isUuid(call.actionId)
        ? await this.#deps.repository.find({ workspaceId: ownerId, contactId: null }, id, call.actionId)
        : null;
    if (!record) return { outcome: 'failed' };
    const action = this.#unsealed(record);
    return this.#runs.run(action, context, { ...call, inputs: known(action.inputs, call.inputs) }, signal);
  }

  close(): Promise<void> {
    return this.#runs.close(GRACE_MS);
  }

  async #agent(scope: Scope, agentId: string): Promise<AgentProfile> {
    const agent = await this.#deps.agents.profileFor(scope, agentId);
    if (!agent) throw notFound('agent');
    return agent;
  }

  async #action(scope: Scope, agentId: string, id: string): Promise<UnsealedAction> {
    const record =
      isUuid(agentId) && isUuid(id) ? await this.#deps.repository.find(scope, agentId, id) : null;
    if (!record) throw missing();
    return this.#unsealed(record);
  }

  /** The headers of a new action: null copies the value from another action of the agent on the same server. */
  async #keptHeaders(
    scope: Scope,
    agentId: string,
    { url, headers = {} }: Pick<ActionDraft, 'url' | 'headers'>,
  ): Promise<Record<string, string>> {
    if (!Object.values(headers).includes(null)) return merged(headers, {});
    const others = await this.#deps.repository.list(scope, agentId);
    const kept = others
      .filter((other) => isSameServer(other.url, url))
      .map((other) => this.#unsealed(other).headers);
    return merged(headers, Object.assign({}, ...kept));
  }

  #textOf(id: string, draft: ActionDraft, headers: Readonly<Record<string, string>>): ActionText {
    const { name, when, inputs, method, url, tool, body, confirm, says } = draft;
    return {
      ...{ name, when, inputs, method, url, confirm, says },
      tool: tool ?? null,
      body: body ?? null,
      headerNames: Object.keys(headers),
      sealedHeaders: this.#deps.seal.close(JSON.stringify(headers), purpose(id)),
    };
  }

  #unsealed({ sealedHeaders, headerNames, ...record }: ActionRecord): UnsealedAction {
    const opened = this.#deps.seal.open(sealedHeaders, purpose(record.id));
    if (opened === null) throw new Error('What is kept of an action cannot be opened.');
    const headers = JSON.parse(opened) as Record<string, string>;
    return { ...record, headers };
  }
}

const purpose = (id: string) => `headers of action ${id}`;
const missing = () => notFound('action');
const tooMany = () => conflict(refusal('actions.too-many', { max: MAX_ACTIONS_PER_AGENT }));

const isSameServer = (one: string, other: string) =>
  new URL(one.replaceAll(/[{}]/g, '')).origin === new URL(other.replaceAll(/[{}]/g, '')).origin;

/** @throws AppError invalid-input for a name without a given or stored value */
function merged(
  wanted: Readonly<Record<string, string | null>>,
  kept: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(wanted).map(([name, value]) => {
      const known = value ?? kept[name];
      if (known !== undefined) return [name, known];
      throw invalidInput(refusal('actions.header-value-missing', { name }), 'headers');
    }),
  );
}

/** @throws AppError invalid-input with the problem of the first unusable pattern */
function refuseUnknownPatterns({ inputs }: Pick<ActionDraft, 'inputs'>): void {
  for (const [at, { pattern }] of inputs.entries()) {
    const problem = pattern === undefined ? null : patternProblem(pattern);
    if (problem !== null) throw invalidInput(problem, `inputs.${at}.pattern`);
  }
}

/** Drops a stored pattern that is no longer usable, so that the agent still accepts the input. */
const withoutUnknownPattern = ({ pattern, ...input }: ActionInput): ActionInput =>
  pattern === undefined || patternProblem(pattern) !== null ? input : { ...input, pattern };

/** Only the inputs that the action declares. */
const known = (inputs: readonly ActionInput[], given: ActionCall['inputs']) =>
  Object.fromEntries(
    inputs.flatMap(({ name }) => {
      const value = given[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );

function present(record: ActionRecord): Action {
  const { id, name, when, inputs, method, url, tool, headerNames, body, confirm, says } = record;
  const unused = inputs.find((input) => withoutUnknownPattern(input).pattern !== input.pattern);
  return {
    _id: id,
    ...{ name, when, inputs, method, url, confirm, says },
    headers: Object.fromEntries(headerNames.map((header) => [header, null])),
    ...(tool === null ? {} : { tool }),
    ...(body === null || body === undefined ? {} : { body }),
    ...(unused ? { problem: patternUnused(unused) } : {}),
  };
}

const patternUnused = ({ label, pattern = '' }: ActionInput) =>
  sentenceOf(
    refusal('actions.pattern-unused', {
      label,
      why: sentenceOf(patternProblem(pattern) ?? 'actions.pattern-invalid'),
    }),
  );

function presentRun({ id, at, name, inputs, outcome, status, ms, problem }: RunRecord): ActionRun {
  return {
    _id: id,
    at: at.toISOString(),
    ...{ name, inputs, outcome },
    ...(status === null ? {} : { status }),
    ...(ms === null ? {} : { ms }),
    ...(problem === null ? {} : { problem }),
  };
}
