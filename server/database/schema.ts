import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  customType,
  date,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  real,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { ActionDraft, ActionInput, actionMethods, runOutcomes } from '#shared/actions';
import type { VersionContent, VersionField } from '#shared/agent-versions';
import type { Mask } from '#shared/agents';
import type { AuditAction } from '#shared/audit';
import type { Citation, Contact } from '#shared/conversations';
import type { DocumentKind } from '#shared/documents';
import type { EngineCapability } from '#shared/engine-settings';
import type { KeyScope } from '#shared/keys';
import type { Preferences } from '#shared/preferences';
import type { DecidedSayings } from '#shared/sayings';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

export const sentimentLabel = pgEnum('sentiment', ['positive', 'neutral', 'negative', 'urgent']);
export const messageRole = pgEnum('message_role', ['user', 'assistant', 'system']);

/** From weakest to strongest, so that a conversation's outcome is the maximum over its replies. */
export const outcomeLabel = pgEnum('outcome', [
  'asked-back',
  'social',
  'answered',
  'offered',
  'declined',
  'handover',
]);

export const accountRole = pgEnum('account_role', ['owner', 'supervisor', 'member']);

/**
 * A business: it owns agents, documents, actions and conversations, which its members share. A trigger
 * creates one for each new account that was not invited, and it is deleted with its last member. See
 * docs/decisions/2026-11-26-workspaces.md.
 */
export const workspaces = pgTable('workspaces', {
  id: uuid('id').primaryKey(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

const ofWorkspace = () =>
  uuid('workspace_id')
    .notNull()
    .references(() => workspaces.id, { onDelete: 'cascade' });

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    /** The member's workspace. */
    workspaceId: ofWorkspace(),
    name: text('name').notNull(),
    /** Trimmed and lower-cased: identifies the account. */
    email: text('email').notNull().unique(),
    /** Null: no sign-in by password until a new one is set. */
    passwordHash: text('password_hash'),
    /** Their role in the workspace. At least one member is an owner. */
    role: accountRole('role').notNull(),
    /**
     * May change settings of the whole installation, such as engines and registration. True for at least one
     * account.
     */
    isInstallationOwner: boolean('is_installation_owner').notNull().default(false),
    /**
     * Part of every signed link to their data. A trigger increments it when one of their sessions ends, which
     * invalidates the links.
     */
    linkVersion: integer('link_version').notNull().default(0),
    /**
     * Since when the account waits for its person to decide about its data; until then none of it acts. Null:
     * not waiting.
     */
    heldAt: moment('held_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [index('users_by_workspace').on(t.workspaceId)],
);

/**
 * A served person: a member who calls an agent of their workspace, a visitor, a telephone number. Triggers on
 * `users` create each member's contact, under the member's id, and keep name and address in step with the
 * account.
 */
export const contacts = pgTable(
  'contacts',
  {
    id: uuid('id').primaryKey(),
    workspaceId: ofWorkspace(),
    /** The member's account; null: no account. */
    userId: uuid('user_id')
      .unique()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    /** Their id in the business's own systems. */
    externalId: text('external_id'),
    /** The business has confirmed their identity; otherwise it is their own statement. */
    verified: boolean('verified').notNull().default(false),
    reference: text('reference'),
    note: text('note'),
    /** Bytes of all recordings of their conversations. Kept by triggers on `recordings`. */
    recordingBytes: bigint('recording_bytes', { mode: 'number' }).notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    index('contacts_by_workspace').on(t.workspaceId, t.id.desc()),
    unique('contacts_by_external_id').on(t.workspaceId, t.externalId),
    check('contacts_of_members', sql`${t.userId} = ${t.id}`),
  ],
);

const ofContact = () =>
  uuid('contact_id')
    .notNull()
    .references(() => contacts.id, { onDelete: 'cascade' });

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the token in hex; the token itself is never stored. */
    tokenHash: text('token_hash').primaryKey(),
    /** A public id: with it a session can be ended, but not used. */
    id: uuid('id').notNull().unique().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Updated now and then, not with every request. */
    lastUsedAt: moment('last_used_at').notNull().defaultNow(),
    /** Final expiry, however much it is used. */
    expiresAt: moment('expires_at').notNull(),
    /** The client's user agent and network address at sign-in, so that people recognise their sessions. */
    userAgent: text('user_agent'),
    address: text('address'),
  },
  (t) => [index('sessions_user').on(t.userId), index('sessions_expiry').on(t.expiresAt)],
);

/** Keys by which programs ask in the name of a workspace. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey(),
    workspaceId: ofWorkspace(),
    name: text('name').notNull(),
    scopes: jsonb('scopes').$type<readonly KeyScope[]>().notNull(),
    /** The first characters of the key, to recognise it by. */
    prefix: text('prefix').notNull(),
    /** SHA-256 in hex of the key; the key itself is never stored. */
    hash: text('hash').notNull().unique(),
    createdAt: moment('created_at').notNull(),
    lastUsedAt: moment('last_used_at'),
    expiresAt: moment('expires_at'),
  },
  (t) => [index('api_keys_by_workspace').on(t.workspaceId, t.id.desc())],
);

/** Links by which an owner invites a person to make an account. The account uses up its link. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid('id').primaryKey(),
    /** The workspace of the future member. */
    workspaceId: ofWorkspace(),
    /** Who may use it, in the form of `users.email`; one link at a time for each workspace. */
    email: text('email').notNull(),
    role: accountRole('role').notNull(),
    /** SHA-256 in hex of the link's secret; the secret itself is never stored. */
    secretHash: text('secret_hash').notNull().unique(),
    invitedBy: uuid('invited_by')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [
    unique('invitations_once').on(t.workspaceId, t.email),
    index('invitations_by_email').on(t.email),
    index('invitations_by_inviter').on(t.invitedBy),
  ],
);

/** Links to set a new password. Using one deletes the account's others. */
export const passwordResets = pgTable(
  'password_resets',
  {
    /** SHA-256 in hex of the link's secret; the secret itself is never stored. */
    secretHash: text('secret_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: moment('expires_at').notNull(),
    /** When it was mailed to the account's address; null: the operator has it. */
    sentAt: moment('sent_at'),
  },
  (t) => [index('password_resets_by_user').on(t.userId), index('password_resets_by_end').on(t.expiresAt)],
);

/** The second factor of a sign-in. */
export const secondFactors = pgTable('second_factors', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The secret in base32, under the server's seal. */
  sealedSecret: text('sealed_secret').notNull(),
  /** The last time step whose code was used: a code works once, and never an earlier one. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
  /** Null: proposed, and not in force until one of its codes was entered. */
  confirmedAt: moment('confirmed_at'),
});

/** Recovery codes; each replaces a second factor once. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of user and code in hex; the code itself is never stored. */
    codeHash: text('code_hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
);

/** Identities at a provider: issuer and subject identify one person, even if their address changes. */
export const identities = pgTable(
  'identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.issuer, t.subject] }), index('identities_by_user').on(t.userId)],
);

/** Unused tickets of completed sign-ins at the identity provider. Deleted with the account's sessions. */
export const signInTickets = pgTable(
  'sign_in_tickets',
  {
    /** SHA-256 of the ticket in hex; the ticket itself is never stored. */
    ticketHash: text('ticket_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [index('sign_in_tickets_by_user').on(t.userId), index('sign_in_tickets_by_end').on(t.expiresAt)],
);

/** Installation-wide settings saved by owners, by name. Without a row the environment applies. */
export const installationSettings = pgTable('installation_settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').$type<unknown>().notNull(),
});

/** Saved settings of an engine. Without a row the environment applies, or the embedded engine. */
export const engineSettings = pgTable('engine_settings', {
  capability: text('capability').$type<EngineCapability>().primaryKey(),
  /** The settings by name as JSON, under the server's seal. */
  sealed: text('sealed').notNull(),
  updatedBy: uuid('updated_by').references(() => users.id, { onDelete: 'set null' }),
  updatedAt: moment('updated_at').notNull(),
});

/** The security log. No foreign keys: it outlives the accounts it names. Never holds a secret. */
export const auditLog = pgTable('audit_log', {
  /** UUIDv7, so it sorts by time. */
  id: uuid('id').primaryKey(),
  at: moment('at').notNull(),
  actorId: uuid('actor_id'),
  /** Their email address at the time; empty if unknown. */
  actor: text('actor').notNull(),
  action: text('action').$type<AuditAction>().notNull(),
  subject: text('subject'),
  address: text('address'),
});

/**
 * Addresses from which a user has signed in: a correct password from there is accepted while others guess at
 * the account.
 */
export const signInAddresses = pgTable(
  'sign_in_addresses',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of user and network address in hex; the address itself is not stored. */
    addressHash: text('address_hash').notNull(),
    lastAt: moment('last_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.addressHash] }), index('sign_in_addresses_age').on(t.lastAt)],
);

/** A user's preferences for all calls. Without a row the defaults of shared/preferences apply. */
export const preferences = pgTable('preferences', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  keepRecordings: boolean('keep_recordings').notNull(),
  recognition: text('recognition').$type<Preferences['recognition']>().notNull(),
  soundCues: boolean('sound_cues').notNull(),
});

export const agents = pgTable(
  'agents',
  {
    id: uuid('id').primaryKey(),
    workspaceId: ofWorkspace(),
    name: text('name').notNull(),
    companyName: text('company_name').notNull(),
    personality: text('personality').notNull(),
    companyInfo: text('company_info').notNull(),
    prompts: jsonb('prompts').$type<string[]>().notNull(),
    /** Decided sayings: what the agent says word for word, and what it never says. */
    sayings: jsonb('sayings').$type<DecidedSayings>().notNull().default({}),
    /** Its customers' language (BCP 47). */
    language: text('language').notNull().default('en'),
    /** What is masked in customers' words before they are stored or answered. */
    masks: jsonb('masks').$type<Mask[]>().notNull().default(['payment', 'national-id']),
    /** The newest of `agent_versions`: the current state. */
    version: integer('version').notNull().default(1),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    /**
     * When its documents last changed; null: it never had any. Increases with every change, so it identifies
     * their state.
     */
    documentsAt: moment('documents_at'),
  },
  (t) => [index('agents_by_workspace').on(t.workspaceId, t.id.desc())],
);

/** An agent's state after each change of its fields or documents. */
export const agentVersions = pgTable(
  'agent_versions',
  {
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    /** Who made the change; null: their account is gone. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    content: jsonb('content').$type<VersionContent>().notNull(),
    /** The difference from the version before. */
    changed: jsonb('changed').$type<VersionField[]>().notNull(),
    /** The version that was restored. */
    restoredFrom: integer('restored_from'),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.agentId, t.version] }), index('agent_versions_by_user').on(t.userId)],
);

/** Actions that an agent may run in the business's own systems. */
export const actions = pgTable(
  'actions',
  {
    id: uuid('id').primaryKey(),
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    workspaceId: ofWorkspace(),
    name: text('name').notNull(),
    when: text('used_when').notNull(),
    inputs: jsonb('inputs').$type<ActionInput[]>().notNull(),
    method: text('method').$type<(typeof actionMethods)[number]>().notNull(),
    url: text('url').notNull(),
    /** The tool's name on a Model Context Protocol server. */
    tool: text('tool'),
    headerNames: jsonb('header_names').$type<string[]>().notNull(),
    /** The headers with their values as JSON, under the server's seal. */
    sealedHeaders: text('sealed_headers').notNull(),
    body: jsonb('body').$type<ActionDraft['body']>(),
    confirm: boolean('confirm').notNull(),
    says: text('says').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [index('actions_by_agent').on(t.workspaceId, t.agentId, t.id)],
);

/**
 * Actions run in conversations; each is written before it runs. Answers are not kept, except for what was
 * said of them.
 */
export const actionRuns = pgTable(
  'action_runs',
  {
    id: uuid('id').primaryKey(),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    /** The conversation's contact. */
    contactId: uuid('contact_id').notNull(),
    /** Kept when the action is deleted, so no foreign key. */
    actionId: uuid('action_id').notNull(),
    name: text('name').notNull(),
    /** Identifies the request, so that it is not carried out twice. */
    key: text('key').notNull(),
    /** In a room: identifies an action that is carried out once for everyone, whoever asks. */
    claim: text('claim'),
    /** The customer's message that last asked for it; of several answered as one, the first. */
    turnId: uuid('turn_id').notNull(),
    inputs: jsonb('inputs').$type<Record<string, string>>().notNull(),
    outcome: text('outcome').$type<(typeof runOutcomes)[number]>().notNull(),
    status: integer('status'),
    ms: integer('ms'),
    /** What the agent told the customer about it. */
    said: text('said'),
    /** The error, for the owner. */
    problem: text('problem'),
    at: moment('at').notNull(),
  },
  (t) => [
    uniqueIndex('action_runs_once').on(t.conversationId, t.key),
    // A failed action may be requested again by someone else.
    uniqueIndex('action_runs_claimed_once').on(t.claim).where(sql`${t.outcome} not in ('failed', 'refused')`),
    index('action_runs_by_contact').on(t.contactId),
  ],
);

/** What agents read besides their company information, shared by the agents of a workspace. */
export const documents = pgTable(
  'documents',
  {
    id: uuid('id').primaryKey(),
    workspaceId: ofWorkspace(),
    title: text('title').notNull(),
    kind: text('kind').$type<DocumentKind>().notNull(),
    /** File name or page address; null: pasted text. */
    source: text('source'),
    /** Text for the reader of passages, page by page; null until first read. */
    parts: jsonb('parts').$type<{ title: string | null; text: string }[]>(),
    status: text('status').$type<'indexing' | 'ready' | 'failed'>().notNull(),
    problem: text('problem'),
    characters: integer('characters').notNull().default(0),
    passages: integer('passages').notNull().default(0),
    /** Interval in days for a page; null: no automatic reading. */
    readEveryDays: integer('read_every_days'),
    createdAt: moment('created_at').notNull(),
    /** When its text was read; changes with every reading, so it identifies the text's state. */
    readAt: moment('read_at'),
    /** When it was last tried, successfully or not. */
    triedAt: moment('tried_at'),
  },
  (t) => [
    index('documents_by_workspace').on(t.workspaceId, t.id.desc()),
    index('documents_waiting').on(t.id).where(sql`${t.status} = 'indexing'`),
    index('documents_scheduled').on(t.triedAt).where(sql`${t.readEveryDays} is not null`),
  ],
);

/** Which agents read which documents. */
export const agentDocuments = pgTable(
  'agent_documents',
  {
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    documentId: uuid('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.agentId, t.documentId] }),
    index('agent_documents_by_document').on(t.documentId),
  ],
);

/**
 * The channel of a conversation: our page with an agent or the demo agent, a live room, a visitor's page, the
 * telephone.
 */
export const channel = pgEnum('channel', ['page', 'simulator', 'room', 'door', 'phone', 'rehearsal']);

/** `waiting`: for a person; `with`: a person has taken over. */
export const conversationState = pgEnum('conversation_state', ['open', 'waiting', 'with', 'ended']);

export const conversations = pgTable(
  'conversations',
  {
    /** UUIDv7 of `createdAt`: sorts lists by time and finds periods. */
    id: uuid('id').primaryKey(),
    workspaceId: ofWorkspace(),
    /** The contact who is served. */
    contactId: ofContact(),
    channel: channel('channel').notNull(),
    state: conversationState('state').notNull().default('open'),
    /** The assigned colleague. */
    assignedTo: uuid('assigned_to').references(() => users.id, { onDelete: 'set null' }),
    /** Kept when its agent is deleted, so no foreign key. Null: the demo agent. */
    agentId: uuid('agent_id'),
    agentName: text('agent_name').notNull(),
    /** The agent's version at the beginning; null: the demo agent, or older than versions. */
    agentVersion: integer('agent_version'),
    companyName: text('company_name').notNull(),
    title: text('title').notNull(),
    /** The live room it took place in; null: a call with the agent alone. */
    roomName: text('room_name'),
    sentiment: sentimentLabel('sentiment').notNull().default('neutral'),
    sentimentScore: real('sentiment_score'),
    /**
     * The strongest outcome of its replies, except `asked-back`, which is only a step on the way; null if
     * none. Written with each reply, in the same statement.
     */
    outcome: outcomeLabel('outcome'),
    /** The customer's contact details for a colleague's follow-up. */
    contact: jsonb('contact').$type<Contact>(),
    /**
     * Number of messages of customer and agent. Stored so that lists and statistics need not read messages.
     */
    messageCount: integer('message_count').notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Times of the first and the last message; their difference is the duration. */
    firstMessageAt: moment('first_message_at'),
    lastMessageAt: moment('last_message_at'),
    endedAt: moment('ended_at'),
    /** Its title or messages have changed since `conversation_words` was written. */
    searchStale: boolean('search_stale').notNull().default(true),
  },
  (t) => [
    index('conversations_by_contact').on(t.contactId, t.id.desc()),
    index('conversations_by_agent').on(t.contactId, t.agentId, t.id.desc()),
    index('conversations_by_sentiment').on(t.contactId, t.sentiment, t.id.desc()),
    index('conversations_by_outcome').on(t.contactId, t.outcome, t.id.desc()),
    index('conversations_of_workspace').on(t.workspaceId, t.id.desc()),
    index('conversations_of_workspace_by_agent').on(t.workspaceId, t.agentId, t.id.desc()),
    index('conversations_waiting')
      .on(t.workspaceId, t.state, t.id.desc())
      .where(sql`${t.state} in ('waiting', 'with')`),
    index('conversations_assigned').on(t.assignedTo, t.id.desc()).where(sql`${t.assignedTo} is not null`),
    index('conversations_stale').on(t.contactId, t.id).where(sql`${t.searchStale}`),
  ],
);

/**
 * Words of a conversation's title and messages, for search. A table of its own, because a conversation's row
 * changes with every message; the migration stores `words` out of line, so that a thousand matches are read
 * from a few pages.
 */
export const conversationWords = pgTable(
  'conversation_words',
  {
    conversationId: uuid('conversation_id')
      .primaryKey()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    contactId: uuid('contact_id').notNull(),
    words: tsvector('words').notNull(),
  },
  (t) => [index('conversation_words_found').using('gin', t.words).with({ fastupdate: false })],
);

/**
 * Totals of a contact's conversations with one company. Triggers on `conversations` keep them in the same
 * transaction; the function `rebuild_usage()` computes them anew.
 */
export const usageByCompany = pgTable(
  'usage_by_company',
  {
    contactId: ofContact(),
    companyName: text('company_name').notNull(),
    calls: integer('calls').notNull(),
    durationMs: bigint('duration_ms', { mode: 'number' }).notNull(),
    messages: bigint('messages', { mode: 'number' }).notNull(),
    positive: integer('positive').notNull(),
    neutral: integer('neutral').notNull(),
    negative: integer('negative').notNull(),
    urgent: integer('urgent').notNull(),
    answered: integer('answered').notNull().default(0),
    offered: integer('offered').notNull().default(0),
    declined: integer('declined').notNull().default(0),
    handover: integer('handover').notNull().default(0),
    social: integer('social').notNull().default(0),
    lastActivity: moment('last_activity').notNull(),
  },
  (t) => [primaryKey({ columns: [t.contactId, t.companyName] })],
);

/**
 * Conversations begun in each quarter of an hour, by label and by outcome, maintained like
 * `usage_by_company`. In every time zone in use, days begin on a quarter of an hour of UTC, so these add up
 * to days anywhere.
 */
export const usageByQuarterHour = pgTable(
  'usage_by_quarter_hour',
  {
    contactId: ofContact(),
    /** Quarters of an hour since 1970 UTC. */
    quarterHour: integer('quarter_hour').notNull(),
    positive: integer('positive').notNull(),
    neutral: integer('neutral').notNull(),
    negative: integer('negative').notNull(),
    urgent: integer('urgent').notNull(),
    answered: integer('answered').notNull().default(0),
    offered: integer('offered').notNull().default(0),
    declined: integer('declined').notNull().default(0),
    handover: integer('handover').notNull().default(0),
    social: integer('social').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.contactId, t.quarterHour] })],
);

export const messages = pgTable(
  'messages',
  {
    /** UUIDv7: sorts in the order of the conversation. */
    id: uuid('id').primaryKey(),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    role: messageRole('role').notNull(),
    content: text('content').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** The client's own id of a user message: a repeated one is stored once. */
    clientMessageId: text('client_message_id'),
    /** On an assistant message: the user message it answers. Null: the welcome. */
    replyTo: uuid('reply_to'),
    responseId: uuid('response_id'),
    interrupted: boolean('interrupted').notNull().default(false),
    sentiment: sentimentLabel('sentiment'),
    /** The label's probability, 0 to 1. */
    sentimentScore: real('sentiment_score'),
    citations: jsonb('citations').$type<Citation[]>(),
    /** Set for a reply of which something was played. */
    outcome: outcomeLabel('outcome'),
    /** On a reply: the dialogue's state after it, input of the next turn. Never leaves the server. */
    state: jsonb('state').$type<unknown>(),
    /** On a reply: its topic, in the words of a title. */
    topic: text('topic'),
    /**
     * On a reply: the colleague who wrote it, kept when they are gone; null: the agent. On a customer's
     * message: the contact, if known and not the conversation's own.
     */
    authorId: uuid('author_id'),
    /** Name of another person in the same room who said it; null: the conversation's contact. */
    saidBy: text('said_by'),
  },
  (t) => [
    index('messages_by_conversation').on(t.conversationId, t.id),
    uniqueIndex('messages_once')
      .on(t.conversationId, t.clientMessageId)
      .where(sql`${t.clientMessageId} is not null`),
    /** Two instances that answer the same message store one reply. */
    uniqueIndex('messages_one_reply').on(t.replyTo).where(sql`${t.replyTo} is not null`),
  ],
);

/** Tokens used by language models for each turn of a conversation, and for thinking ahead in it. */
export const modelUses = pgTable(
  'model_uses',
  {
    id: uuid('id').primaryKey(),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    /** The conversation's contact. */
    contactId: uuid('contact_id').notNull(),
    /** The customer's message that was answered; null: thinking ahead for one that never came. */
    messageId: uuid('message_id'),
    model: text('model').notNull(),
    /** Tokens. */
    input: integer('input').notNull(),
    output: integer('output').notNull(),
    /** Millionths of a US dollar, at the prices of the time; null: no price. */
    costMicros: bigint('cost_micros', { mode: 'number' }),
    at: moment('at').notNull(),
  },
  (t) => [index('model_uses_by_conversation').on(t.conversationId, t.id)],
);

/** Tokens used by language models per UTC day: sums that remain when conversations are deleted. */
export const modelUseByDay = pgTable(
  'model_use_by_day',
  {
    /** Null: everyone together, including deleted contacts. */
    contactId: uuid('contact_id').references(() => contacts.id, { onDelete: 'cascade' }),
    day: date('day', { mode: 'string' }).notNull(),
    model: text('model').notNull(),
    turns: integer('turns').notNull(),
    input: bigint('input', { mode: 'number' }).notNull(),
    output: bigint('output', { mode: 'number' }).notNull(),
    costMicros: bigint('cost_micros', { mode: 'number' }),
  },
  (t) => [unique('model_use_by_day_once').on(t.contactId, t.day, t.model).nullsNotDistinct()],
);

/**
 * Questions that were declined or answered by an offer, each written with its reply. Questions with the same
 * meaning form a group, found in the background: see docs/decisions/2026-11-22-unanswered-questions.md.
 */
export const unansweredQuestions = pgTable(
  'unanswered_questions',
  {
    /** The customer's message. */
    messageId: uuid('message_id')
      .primaryKey()
      .references(() => messages.id, { onDelete: 'cascade' }),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    workspaceId: ofWorkspace(),
    /** Null: the demo agent. */
    agentId: uuid('agent_id'),
    agentName: text('agent_name').notNull(),
    /** The question as asked: several messages in one if replies were withdrawn before they were played. */
    question: text('question').notNull(),
    replyId: uuid('reply_id')
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
    askedAt: moment('asked_at').notNull(),
    /** The later reply that accepted the offer and answered. */
    answeredBy: uuid('answered_by').references(() => messages.id, { onDelete: 'set null' }),
    /** The first question of its group; null until compared with others. */
    groupId: uuid('group_id'),
    /**
     * Its meaning as 32-bit floats, and the weights that made them: only vectors of equal weights can be
     * compared.
     */
    vector: bytes('vector'),
    vectorOf: text('vector_of'),
    /** When somebody answered or dismissed it. */
    resolvedAt: moment('resolved_at'),
  },
  (t) => [
    index('unanswered_open')
      .on(t.workspaceId, t.agentId, t.messageId.desc())
      .where(sql`${t.resolvedAt} is null`),
    index('unanswered_by_group').on(t.workspaceId, t.groupId),
    index('unanswered_by_conversation').on(t.conversationId),
    index('unanswered_by_reply').on(t.replyId),
    index('unanswered_by_answer').on(t.answeredBy).where(sql`${t.answeredBy} is not null`),
    index('unanswered_waiting').on(t.messageId).where(sql`${t.groupId} is null`),
  ],
);

/** Live calls under way, whose records are still being written. */
export const liveCalls = pgTable(
  'live_calls',
  {
    conversationId: uuid('conversation_id')
      .primaryKey()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    contactId: ofContact(),
    roomName: text('room_name').notNull(),
    /** The owner of the participating agent; null: the demo agent. */
    agentOwnerId: uuid('agent_owner_id'),
    agentId: uuid('agent_id'),
    /** The call to which all participants' records belong. */
    callId: uuid('call_id'),
    /** Renewed by the server that is in the room: after this moment none is. */
    liveUntil: moment('live_until').notNull(),
  },
  (t) => [
    uniqueIndex('live_calls_one_record').on(t.contactId, t.roomName),
    index('live_calls_by_end').on(t.liveUntil),
  ],
);

export const roomAccess = pgEnum('room_access', ['members', 'invited']);

/** Live rooms that a user made and may lock. A room unused for long is deleted. */
export const rooms = pgTable(
  'rooms',
  {
    /** As its owner wrote it. */
    name: text('name').primaryKey(),
    /**
     * SHA-256 of the name's appearance: names that look alike are one room. Null for older rooms, as long as
     * another room looks the same.
     */
    look: text('look').unique(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    access: roomAccess('access').notNull(),
    /** Only the owner may enter. */
    locked: boolean('locked').notNull().default(false),
    /** Everyone waits in the lobby until the owner admits them. */
    lobby: boolean('lobby').notNull().default(false),
    /**
     * How often it was closed to people who could enter before: keys from before the last time are invalid.
     */
    closings: integer('closings').notNull().default(0),
    /** The agent answers from its owner's information even while the owner is away. */
    agentStays: boolean('agent_stays').notNull().default(false),
    usedAt: moment('used_at').notNull(),
  },
  (t) => [index('rooms_by_owner').on(t.ownerId), index('rooms_by_use').on(t.usedAt)],
);

/** Invitation links to a room. */
export const roomInvites = pgTable(
  'room_invites',
  {
    /** SHA-256 of the link's secret in hex; the secret itself is never stored. */
    secretHash: text('secret_hash').primaryKey(),
    roomName: text('room_name')
      .notNull()
      .references(() => rooms.name, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [index('room_invites_by_room').on(t.roomName, t.createdAt)],
);

/** State of guests of a room. */
export const roomGuests = pgTable(
  'room_guests',
  {
    roomName: text('room_name')
      .notNull()
      .references(() => rooms.name, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** When they last asked to be admitted, in the lobby. */
    knockedAt: moment('knocked_at'),
    /** When the owner admitted them from the lobby. */
    admittedAt: moment('admitted_at'),
    /** When the owner removed them: only a later invitation admits them again. */
    removedAt: moment('removed_at'),
    /** The room's last closing at which they were inside: their older keys stay valid. */
    insideAtClosing: integer('inside_at_closing'),
  },
  (t) => [primaryKey({ columns: [t.roomName, t.userId] }), index('room_guests_by_user').on(t.userId)],
);

export const speaker = pgEnum('speaker', ['customer', 'agent']);

/** Sound of a turn: a customer's words or a spoken reply. The media store has the bytes. */
export const recordings = pgTable(
  'recordings',
  {
    id: uuid('id').primaryKey(),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    /** The conversation's contact. */
    contactId: uuid('contact_id').notNull(),
    /** Null until the user message with the same text has arrived. */
    messageId: uuid('message_id').references(() => messages.id, { onDelete: 'cascade' }),
    speaker: speaker('speaker').notNull(),
    /** Key of the bytes in the media store. */
    storageKey: text('storage_key').notNull(),
    mediaType: text('media_type').notNull(),
    bytes: integer('bytes').notNull(),
    durationMs: integer('duration_ms'),
    /** Transcript of a customer's recording: equals the text of its message. */
    transcript: text('transcript'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    index('recordings_by_conversation').on(t.conversationId),
    index('recordings_by_message').on(t.messageId),
    index('recordings_waiting').on(t.createdAt).where(sql`${t.messageId} is null`),
  ],
);

/** Values shared by all instances on this database; the first to need one creates it. */
export const secrets = pgTable('secrets', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    /** Hash of method, path and body: another request under the same key is a conflict. */
    requestHash: text('request_hash').notNull(),
    status: integer('status'),
    body: jsonb('body'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.key] }), index('idempotency_keys_age').on(t.createdAt)],
);

/**
 * Events, each row written in the transaction of the change it reports, and kept until every subscriber has
 * read it. No foreign keys: a row outlives its subject. Ids only, never a person's words. See
 * docs/decisions/2026-11-27-events-in-the-database.md.
 */
export const events = pgTable('events', {
  /** The reading order. */
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  workspaceId: uuid('workspace_id').notNull(),
  conversationId: uuid('conversation_id'),
  contactId: uuid('contact_id'),
  type: text('type').notNull(),
  data: jsonb('data').$type<Record<string, unknown>>().notNull(),
  at: moment('at').notNull().defaultNow(),
});

/** Each subscriber's position: everything up to this id was delivered. */
export const eventPositions = pgTable('event_positions', {
  subscriber: text('subscriber').primaryKey(),
  position: bigint('position', { mode: 'number' }).notNull(),
});
