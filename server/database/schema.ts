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
import type { Preferences } from '#shared/preferences';
import type { DecidedSayings } from '#shared/sayings';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

export const sentimentLabel = pgEnum('sentiment', ['positive', 'neutral', 'negative', 'urgent']);
export const messageRole = pgEnum('message_role', ['user', 'assistant', 'system']);

/** From the weakest to the strongest, so that the greatest of a conversation's replies is what it came to. */
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
 * A business: whose agents, documents, actions and conversations they are, and its members share. Somebody who registers brings
 * one of their own along, which a trigger makes; it goes with its last member. See docs/decisions/2026-11-26-workspaces.md.
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
    /** The workspace that they are a member of. */
    workspaceId: ofWorkspace(),
    name: text('name').notNull(),
    /** Trimmed and lower-cased: the account's identity. */
    email: text('email').notNull().unique(),
    /** Null: nobody comes in by a password until a new one is set. */
    passwordHash: text('password_hash'),
    /** What they may do in their workspace. At least one of its members is an owner. */
    role: accountRole('role').notNull(),
    /** Settles what holds for everybody here, such as engines and registration. At least one account does. */
    isInstallationOwner: boolean('is_installation_owner').notNull().default(false),
    /** Part of every signed link to what is theirs. A trigger counts it up when a session of theirs ends: then those links end. */
    linkVersion: integer('link_version').notNull().default(0),
    /** Since when it waits for its person to say what becomes of what is in it; until then nothing of it acts. Null: it does not wait. */
    heldAt: moment('held_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [index('users_by_workspace').on(t.workspaceId)],
);

/**
 * Who is served: a member who calls an agent of their workspace, somebody at a door, a telephone number. Triggers on `users` make
 * the contact of each member, under the member's own id, and keep name and address as the account has them.
 */
export const contacts = pgTable(
  'contacts',
  {
    id: uuid('id').primaryKey(),
    workspaceId: ofWorkspace(),
    /** The member who it is; null: nobody with an account. */
    userId: uuid('user_id')
      .unique()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    /** What the business's own systems call them. */
    externalId: text('external_id'),
    /** The business has said who they are; otherwise they say it themselves. */
    verified: boolean('verified').notNull().default(false),
    reference: text('reference'),
    note: text('note'),
    /** What all recordings of their conversations take. Triggers on `recordings` keep it. */
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
    /** What it is called where people see it: with it a session can be ended, but not used. */
    id: uuid('id').notNull().unique().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Written now and then, not with every request. */
    lastUsedAt: moment('last_used_at').notNull().defaultNow(),
    /** However much it is used. */
    expiresAt: moment('expires_at').notNull(),
    /** What signed in, as it calls itself, and from which network address: so that people know their own. */
    userAgent: text('user_agent'),
    address: text('address'),
  },
  (t) => [index('sessions_user').on(t.userId), index('sessions_expiry').on(t.expiresAt)],
);

/** Links by which an owner lets somebody make an account. A link is used up by the account. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid('id').primaryKey(),
    /** The workspace that they will be a member of. */
    workspaceId: ofWorkspace(),
    /** Who may use it, as `users.email` is written: one link at a time into each workspace. */
    email: text('email').notNull(),
    role: accountRole('role').notNull(),
    /** SHA-256 in hex of the secret in the link; the secret itself is never stored. */
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

/** Links by which somebody sets a new password. One that was used takes the account's others along. */
export const passwordResets = pgTable(
  'password_resets',
  {
    /** SHA-256 in hex of the secret in the link; the secret itself is never stored. */
    secretHash: text('secret_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: moment('expires_at').notNull(),
    /** When a letter took it to the account's address; null: whoever runs the server has it. */
    sentAt: moment('sent_at'),
  },
  (t) => [index('password_resets_by_user').on(t.userId), index('password_resets_by_end').on(t.expiresAt)],
);

/** What a sign-in asks for besides the password. */
export const secondFactors = pgTable('second_factors', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The secret in base32, under the server's seal. */
  sealedSecret: text('sealed_secret').notNull(),
  /** The last step of time whose code was used: codes work once, and never backwards. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
  /** Null: proposed, and not in force until a code of it was shown. */
  confirmedAt: moment('confirmed_at'),
});

/** Codes that each stand in for a second factor once. */
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

/** Who comes in by an identity provider: issuer and subject are one person, whatever their address becomes. */
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

/** Tickets with which a sign-in at the identity provider came back, until they are used. They go with the account's sessions. */
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

/** What owners have settled for everybody, by name. No row: what the environment says. */
export const installationSettings = pgTable('installation_settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').$type<unknown>().notNull(),
});

/** What owners have saved of an engine. No row: what the environment says, or the embedded one. */
export const engineSettings = pgTable('engine_settings', {
  capability: text('capability').$type<EngineCapability>().primaryKey(),
  /** The settings by their names as JSON, under the server's seal. */
  sealed: text('sealed').notNull(),
  updatedBy: uuid('updated_by').references(() => users.id, { onDelete: 'set null' }),
  updatedAt: moment('updated_at').notNull(),
});

/** What was done that owners may have to account for. No foreign keys: it outlives whom it names. Never a secret. */
export const auditLog = pgTable('audit_log', {
  /** UUIDv7: its order is the order in which things were done. */
  id: uuid('id').primaryKey(),
  at: moment('at').notNull(),
  actorId: uuid('actor_id'),
  /** Their email address then; empty where it is not known who it was. */
  actor: text('actor').notNull(),
  action: text('action').$type<AuditAction>().notNull(),
  subject: text('subject'),
  address: text('address'),
});

/** From where a user has signed in: a right password from there is let in while others guess at the account. */
export const signInAddresses = pgTable(
  'sign_in_addresses',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of user and network address in hex; the address itself is not kept. */
    addressHash: text('address_hash').notNull(),
    lastAt: moment('last_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.addressHash] }), index('sign_in_addresses_age').on(t.lastAt)],
);

/** What a user has settled for all their calls. No row: the defaults of shared/preferences. */
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
    /** What it says word for word, and never, as far as that was decided. */
    sayings: jsonb('sayings').$type<DecidedSayings>().notNull().default({}),
    /** BCP 47: what its customers speak. */
    language: text('language').notNull().default('en'),
    /** What is left out of what customers say, before it is stored or answered. */
    masks: jsonb('masks').$type<Mask[]>().notNull().default(['payment', 'national-id']),
    /** The newest of `agent_versions`: what it is now. */
    version: integer('version').notNull().default(1),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    /** When its documents last changed; null: it never had any. Grows with every change, so that it names their state. */
    documentsAt: moment('documents_at'),
  },
  (t) => [index('agents_by_workspace').on(t.workspaceId, t.id.desc())],
);

/** What an agent was after each change of its own fields or its documents. */
export const agentVersions = pgTable(
  'agent_versions',
  {
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    /** Who made it; null: somebody who is gone. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    content: jsonb('content').$type<VersionContent>().notNull(),
    /** What differs from the version before. */
    changed: jsonb('changed').$type<VersionField[]>().notNull(),
    /** The version that was gone back to. */
    restoredFrom: integer('restored_from'),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.agentId, t.version] }), index('agent_versions_by_user').on(t.userId)],
);

/** What an agent may do in the business's own systems. */
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
    /** The tool of a server that speaks the Model Context Protocol. */
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

/** Actions that were run in conversations, each written before it is run. What an answer held is not kept, but for what was said of it. */
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
    /** Names what was asked for: the same is not done twice. */
    key: text('key').notNull(),
    /** In a room: names what is done once for everybody there, whoever asks for it. */
    claim: text('claim'),
    /** The customer's message, of several that were answered as one the first: it was last asked for there. */
    turnId: uuid('turn_id').notNull(),
    inputs: jsonb('inputs').$type<Record<string, string>>().notNull(),
    outcome: text('outcome').$type<(typeof runOutcomes)[number]>().notNull(),
    status: integer('status'),
    ms: integer('ms'),
    /** What the customer hears of it. */
    said: text('said'),
    /** What went wrong, for the owner. */
    problem: text('problem'),
    at: moment('at').notNull(),
  },
  (t) => [
    uniqueIndex('action_runs_once').on(t.conversationId, t.key),
    // What did not happen may be asked for by somebody else.
    uniqueIndex('action_runs_claimed_once').on(t.claim).where(sql`${t.outcome} not in ('failed', 'refused')`),
    index('action_runs_by_contact').on(t.contactId),
  ],
);

/** What agents read besides their company information, shared between the agents of a workspace. */
export const documents = pgTable(
  'documents',
  {
    id: uuid('id').primaryKey(),
    workspaceId: ofWorkspace(),
    title: text('title').notNull(),
    kind: text('kind').$type<DocumentKind>().notNull(),
    /** Name of the file, or address of the page; null: it was pasted. */
    source: text('source'),
    /** What the reader of passages reads, page by page; null until it was read for the first time. */
    parts: jsonb('parts').$type<{ title: string | null; text: string }[]>(),
    status: text('status').$type<'indexing' | 'ready' | 'failed'>().notNull(),
    problem: text('problem'),
    characters: integer('characters').notNull().default(0),
    passages: integer('passages').notNull().default(0),
    /** Of a page; null: not by itself. */
    readEveryDays: integer('read_every_days'),
    createdAt: moment('created_at').notNull(),
    /** When its text was read; with every reading another one, so that it names the text's state. */
    readAt: moment('read_at'),
    /** When it was last tried, whatever came of it. */
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

/** How a conversation is held: on our own page with an agent or with the demo agent, in a live room, at a door, by telephone. */
export const channel = pgEnum('channel', ['page', 'simulator', 'room', 'door', 'phone', 'rehearsal']);

/** `waiting`: for a person; `with`: a person has taken over. */
export const conversationState = pgEnum('conversation_state', ['open', 'waiting', 'with', 'ended']);

export const conversations = pgTable(
  'conversations',
  {
    /** UUIDv7 of the moment in `createdAt`: its order is the order of lists, and periods are found by it. */
    id: uuid('id').primaryKey(),
    workspaceId: ofWorkspace(),
    /** Who is served in it. */
    contactId: ofContact(),
    channel: channel('channel').notNull(),
    state: conversationState('state').notNull().default('open'),
    /** The colleague who has it. */
    assignedTo: uuid('assigned_to').references(() => users.id, { onDelete: 'set null' }),
    /** Kept when its agent is deleted, so no foreign key. Null: the demo agent. */
    agentId: uuid('agent_id'),
    agentName: text('agent_name').notNull(),
    /** What the agent was when it began; null: the demo agent, or begun before versions were kept. */
    agentVersion: integer('agent_version'),
    companyName: text('company_name').notNull(),
    title: text('title').notNull(),
    /** The live room it took place in; null: a call with the agent alone. */
    roomName: text('room_name'),
    sentiment: sentimentLabel('sentiment').notNull().default('neutral'),
    sentimentScore: real('sentiment_score'),
    /**
     * The strongest outcome of its replies, but for `asked-back`, which is only on the way to one; null while there is none.
     * Written with each reply, in the same statement.
     */
    outcome: outcomeLabel('outcome'),
    /** What the customer has left so that a colleague can get back to them. */
    contact: jsonb('contact').$type<Contact>(),
    /** Counts what the customer and the agent said. Kept here so that lists and stats read no messages. */
    messageCount: integer('message_count').notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Times of the first and the last message: their distance is the duration. */
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
 * The words of a conversation's title and messages, for search. Apart from the conversation, whose row changes with every
 * message; the migration keeps `words` outside of the rows, so that a thousand matches are read from a few pages.
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
 * What a contact's conversations with one company add up to. Triggers on `conversations` keep it, in the transaction of
 * whatever changes there; the function `rebuild_usage()` makes it anew.
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
 * How many conversations began in each quarter of an hour, by label and by outcome, kept as `usage_by_company` is. Days of every time
 * zone in use begin on a quarter of an hour of UTC, so these add up to days anywhere.
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
    /** UUIDv7: its order is the order of the conversation. */
    id: uuid('id').primaryKey(),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    role: messageRole('role').notNull(),
    content: text('content').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** The client's own id of a user message: the same one again is stored once. */
    clientMessageId: text('client_message_id'),
    /** On an assistant message: the user message it answers. Null: the welcome. */
    replyTo: uuid('reply_to'),
    responseId: uuid('response_id'),
    interrupted: boolean('interrupted').notNull().default(false),
    sentiment: sentimentLabel('sentiment'),
    /** How sure the label is: its probability, 0 to 1. */
    sentimentScore: real('sentiment_score'),
    citations: jsonb('citations').$type<Citation[]>(),
    /** Of a reply of which something was heard. */
    outcome: outcomeLabel('outcome'),
    /** Of a reply: the dialogue's state after it, given back to the dialogue in the next turn. Never leaves the server. */
    state: jsonb('state').$type<unknown>(),
    /** Of a reply: what it is about, in the words of a title. */
    topic: text('topic'),
    /**
     * Of a reply: the colleague who gave it, kept when they are gone; null: the agent. Of what a customer said: the contact, where
     * that is another than the conversation's own and is known.
     */
    authorId: uuid('author_id'),
    /** Name of the person who said it, where that was not the conversation's owner: somebody else in the same room. */
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

/** What language models took for each turn of a conversation, and for what was thought ahead in it. */
export const modelUses = pgTable(
  'model_uses',
  {
    id: uuid('id').primaryKey(),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    /** The conversation's contact. */
    contactId: uuid('contact_id').notNull(),
    /** The customer's message that was answered; null: thought ahead of one that never came. */
    messageId: uuid('message_id'),
    model: text('model').notNull(),
    /** Tokens. */
    input: integer('input').notNull(),
    output: integer('output').notNull(),
    /** Millionths of a US dollar, by the prices of that moment; null: there were none. */
    costMicros: bigint('cost_micros', { mode: 'number' }),
    at: moment('at').notNull(),
  },
  (t) => [index('model_uses_by_conversation').on(t.conversationId, t.id)],
);

/** What language models took on each day of UTC: sums, which stay when conversations go. */
export const modelUseByDay = pgTable(
  'model_use_by_day',
  {
    /** Null: everybody together, those who are gone included. */
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
 * Questions that were declined, or offered something for, each written with its reply. Questions of one meaning make a
 * group, found in the background: see docs/decisions/2026-11-22-unanswered-questions.md.
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
    /** What the agent was asked: several messages in one where replies were withdrawn unheard. */
    question: text('question').notNull(),
    replyId: uuid('reply_id')
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
    askedAt: moment('asked_at').notNull(),
    /** The later reply that took up what had been offered and answered. */
    answeredBy: uuid('answered_by').references(() => messages.id, { onDelete: 'set null' }),
    /** The first question of its group; null until it was compared with the others. */
    groupId: uuid('group_id'),
    /** Its meaning as 32-bit floats, and which weights made it: those of others cannot be compared. */
    vector: bytes('vector'),
    vectorOf: text('vector_of'),
    /** When somebody wrote the answer, or did not want it listed any longer. */
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

/** Live calls under way: whose record of which room is still being written. */
export const liveCalls = pgTable(
  'live_calls',
  {
    conversationId: uuid('conversation_id')
      .primaryKey()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    contactId: ofContact(),
    roomName: text('room_name').notNull(),
    /** The agent who takes part, and whose it is; null: the demo agent. */
    agentOwnerId: uuid('agent_owner_id'),
    agentId: uuid('agent_id'),
    /** The call that the records of everybody there are of. */
    callId: uuid('call_id'),
    /** Renewed by the server that is in the room: past this moment nobody is. */
    liveUntil: moment('live_until').notNull(),
  },
  (t) => [
    uniqueIndex('live_calls_one_record').on(t.contactId, t.roomName),
    index('live_calls_by_end').on(t.liveUntil),
  ],
);

export const roomAccess = pgEnum('room_access', ['members', 'invited']);

/** Live rooms that somebody made and may close to others. A room that nobody has used for long is forgotten. */
export const rooms = pgTable(
  'rooms',
  {
    /** As its owner wrote it. */
    name: text('name').primaryKey(),
    /**
     * SHA-256 of how the name looks: names that look alike are one room. Null for one from before this was kept, for as long as
     * another room looks so.
     */
    look: text('look').unique(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    access: roomAccess('access').notNull(),
    /** Nobody else comes in. */
    locked: boolean('locked').notNull().default(false),
    /** Whoever comes waits until the owner lets them in. */
    lobby: boolean('lobby').notNull().default(false),
    /** How often it was closed to people who could come in before: keys from before the last time open it no more. */
    closings: integer('closings').notNull().default(0),
    /** The agent answers from its owner's information while they are away, too. */
    agentStays: boolean('agent_stays').notNull().default(false),
    usedAt: moment('used_at').notNull(),
  },
  (t) => [index('rooms_by_owner').on(t.ownerId), index('rooms_by_use').on(t.usedAt)],
);

/** Links that let somebody into a room. */
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

/** What became of people at the doors of rooms that are not theirs. */
export const roomGuests = pgTable(
  'room_guests',
  {
    roomName: text('room_name')
      .notNull()
      .references(() => rooms.name, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** They asked last, in the lobby. */
    knockedAt: moment('knocked_at'),
    /** The owner let them in from the lobby. */
    admittedAt: moment('admitted_at'),
    /** The owner put them out: only an invitation made later lets them in again. */
    removedAt: moment('removed_at'),
    /** The last of the room's closings at which they were inside: their keys from before it hold. */
    insideAtClosing: integer('inside_at_closing'),
  },
  (t) => [primaryKey({ columns: [t.roomName, t.userId] }), index('room_guests_by_user').on(t.userId)],
);

export const speaker = pgEnum('speaker', ['customer', 'agent']);

/** Sound of a turn: what a customer said or how a reply was spoken. The bytes lie in the media store. */
export const recordings = pgTable(
  'recordings',
  {
    id: uuid('id').primaryKey(),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    /** The conversation's contact. */
    contactId: uuid('contact_id').notNull(),
    /** Null until the user message with the same text has come. */
    messageId: uuid('message_id').references(() => messages.id, { onDelete: 'cascade' }),
    speaker: speaker('speaker').notNull(),
    /** Name of the bytes in the media store. */
    storageKey: text('storage_key').notNull(),
    mediaType: text('media_type').notNull(),
    bytes: integer('bytes').notNull(),
    durationMs: integer('duration_ms'),
    /** What a customer's recording is said to contain: the message it belongs to has the same text. */
    transcript: text('transcript'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    index('recordings_by_conversation').on(t.conversationId),
    index('recordings_by_message').on(t.messageId),
    index('recordings_waiting').on(t.createdAt).where(sql`${t.messageId} is null`),
  ],
);

/** Values that every instance on this database shares; whoever needs one first makes it. */
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
 * What happened, each row written in the transaction of what it tells, until every subscriber has read it. No foreign keys: it
 * outlives what it is of. Ids alone, never a word that somebody said. See docs/decisions/2026-11-27-events-in-the-database.md.
 */
export const events = pgTable('events', {
  /** The order in which they are read. */
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  workspaceId: uuid('workspace_id').notNull(),
  conversationId: uuid('conversation_id'),
  contactId: uuid('contact_id'),
  type: text('type').notNull(),
  data: jsonb('data').$type<Record<string, unknown>>().notNull(),
  at: moment('at').notNull().defaultNow(),
});

/** How far each subscriber has come: everything up to this id was delivered to it. */
export const eventPositions = pgTable('event_positions', {
  subscriber: text('subscriber').primaryKey(),
  position: bigint('position', { mode: 'number' }).notNull(),
});
