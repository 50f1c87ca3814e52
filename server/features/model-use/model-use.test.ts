import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { conversations, users } from '#server/database/schema';
import { ConversationsRepository } from '#server/features/conversations/repository';
import { ConversationsService } from '#server/features/conversations/service';
import type { ModelUseSettings } from '#server/settings/config';
import { aConversation, aMember, aUser, ownScope } from '../../../tests/factories.ts';
import { openTestDatabase, type TestDatabase } from '../../../tests/support/test-database.ts';
import { ModelUseRepository } from './repository.ts';
import { ModelUseService } from './service.ts';

let database: TestDatabase;
let now: Date;
const told: { spent: number[]; failures: unknown[] } = { spent: [], failures: [] };
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.empty();
  now = new Date('2026-11-22T23:59:00Z');
  told.spent.length = 0;
  told.failures.length = 0;
});

/** Two models, one at a tenth of the other's price. */
const prices = [
  { model: 'small', input: 0.8, output: 4 },
  { model: 'large', input: 8, output: 40 },
];
const openService = async (terms: Partial<ModelUseSettings> = {}) => {
  const service = new ModelUseService({
    repository: new ModelUseRepository(database.db),
    terms: () => ({ prices, tokensPerDay: null, ...terms }),
    onSpent: (tokens) => void told.spent.push(tokens),
    onFailure: (error) => void told.failures.push(error),
    now: () => now,
  });
  await service.open();
  return service;
};

async function somebody(isInstallationOwner = false) {
  const row = aUser({ isInstallationOwner });
  await database.db.insert(users).values(row);
  const { id, workspaceId } = row;
  const conversation = aConversation(id);
  await database.db.insert(conversations).values(conversation);
  return { user: aMember({ _id: id, workspaceId, isInstallationOwner }), conversationId: conversation.id };
}

const messageId = '019aa000-0000-7000-8000-000000000001';
const use = { model: 'small', input: 1_000, output: 50 };
const month = (change: object) => ({ month: '2026-11', model: 'small', ...change });

describe('what models took', () => {
  it('is kept turn by turn, each model at its own price of then', async () => {
    const { user, conversationId } = await somebody();
    const service = await openService();
    const turn = { scope: ownScope(user), conversationId, messageId };
    service.allowance(turn).onUse(use);
    service.allowance({ ...turn, messageId: null }).onUse({ ...use, model: 'large', output: 0 });
    await service.settled();
    const dearer = await openService({ prices: [] });
    dearer.allowance(turn).onUse(use);
    await dearer.settled();
    const at = now.toISOString();
    expect(await dearer.ofConversation(ownScope(user), conversationId)).toEqual([
      { at, messageId, ...use, cost: 0.001 },
      { at, model: 'large', input: 1_000, output: 0, cost: 0.008 },
      { at, messageId, ...use, cost: null },
    ]);
    const shown = new ConversationsService(new ConversationsRepository(database.db));
    expect((await shown.get(ownScope(user), conversationId)).modelUse).toEqual({
      input: 3_000,
      output: 100,
      cost: 0.009,
    });
    expect(told.failures).toEqual([]);
  });

  it('is not shown of a conversation in which none had a part', async () => {
    const { user, conversationId } = await somebody();
    const shown = new ConversationsService(new ConversationsRepository(database.db));
    expect(await shown.get(ownScope(user), conversationId)).not.toHaveProperty('modelUse');
  });

  it('adds up by month and model: an account’s for itself, everybody’s for an owner', async () => {
    const [ada, ben, owner] = [await somebody(), await somebody(), await somebody(true)];
    const service = await openService();
    const count = async (at: string, { user }: typeof ada, model = 'small') => {
      now = new Date(at);
      service
        .allowance({ scope: ownScope(user), conversationId: null, messageId: null })
        .onUse({ ...use, model });
      await service.settled();
    };
    await count('2026-09-30T12:00:00Z', ada);
    await count('2026-10-31T23:59:59Z', ada);
    await count('2026-11-01T00:00:00Z', ada);
    await count('2026-11-22T12:00:00Z', ada);
    await count('2026-11-22T12:00:00Z', ada, 'large');
    await count('2026-11-22T12:00:00Z', ben);
    const once = { turns: 1, input: 1_000, output: 50, cost: 0.001 };
    const twice = { turns: 2, input: 2_000, output: 100, cost: 0.002 };
    expect(await service.usage(ada.user, 2)).toEqual({
      scope: 'account',
      months: [
        month({ ...once, model: 'large', cost: 0.01 }),
        month(twice),
        month({ ...once, month: '2026-10' }),
      ],
      today: { tokens: 2_100, limit: null, isSpent: false },
    });
    expect((await service.usage(ada.user, 3)).months).toHaveLength(4);
    expect(await service.usage(owner.user, 1)).toEqual({
      scope: 'installation',
      months: [
        month({ ...once, model: 'large', cost: 0.01 }),
        month({ turns: 3, input: 3_000, output: 150, cost: 0.003 }),
      ],
      today: { tokens: 3_150, limit: null, isSpent: false },
    });
  });

  it('knows a cost where some of it had a price', async () => {
    const { user } = await somebody();
    const turn = { scope: ownScope(user), conversationId: null, messageId: null };
    for (const prices of [
      [],
      [{ model: 'small', input: 1, output: 1 }],
      [{ model: 'large', input: 9, output: 9 }],
    ]) {
      const service = await openService({ prices });
      service.allowance(turn).onUse(use);
      await service.settled();
    }
    const { months } = await (await openService()).usage(user, 1);
    expect(months).toEqual([month({ turns: 3, input: 3_000, output: 150, cost: 0.00105 })]);
  });

  it('goes with conversation and account, and stays in the sums of the installation', async () => {
    const [ada, owner] = [await somebody(), await somebody(true)];
    const service = await openService();
    const turn = { scope: ownScope(ada.user), conversationId: ada.conversationId, messageId };
    service.allowance(turn).onUse(use);
    await service.settled();
    await database.db.delete(conversations).where(eq(conversations.contactId, ada.user._id));
    expect(await service.ofConversation(ownScope(ada.user), ada.conversationId)).toEqual([]);
    expect((await service.usage(ada.user, 1)).months).toMatchObject([{ turns: 1 }]);
    await database.db.delete(users).where(eq(users.id, ada.user._id));
    // A model that was still answering when they were deleted.
    service.allowance(turn).onUse(use);
    await service.settled();
    expect((await service.usage(ada.user, 1)).months).toEqual([]);
    expect((await service.usage(owner.user, 1)).months).toMatchObject([{ turns: 2, input: 2_000 }]);
    expect(told.failures).toEqual([]);
  });

  it('of somebody else’s conversation is kept nowhere but in the sums', async () => {
    const [ada, ben] = [await somebody(), await somebody()];
    const service = await openService();
    const turn = { scope: ownScope(ben.user), conversationId: ada.conversationId, messageId };
    service.allowance(turn).onUse(use);
    await service.settled();
    for (const { user } of [ada, ben])
      expect(await service.ofConversation(ownScope(user), ada.conversationId)).toEqual([]);
    expect((await service.usage(ben.user, 1)).months).toMatchObject([{ turns: 1 }]);
  });

  it('adds up right when many end at once', async () => {
    const [ada, ben] = [await somebody(), await somebody()];
    const services = [await openService(), await openService()];
    for (let n = 0; n < 10; n++)
      for (const service of services)
        for (const { user, conversationId } of [ada, ben])
          service.allowance({ scope: ownScope(user), conversationId, messageId }).onUse(use);
    await Promise.all(services.map((service) => service.settled()));
    expect(told.failures).toEqual([]);
    const [service] = services;
    expect((await service?.usage({ ...ada.user, isInstallationOwner: true }, 1))?.months).toMatchObject([
      { turns: 40 },
    ]);
    expect((await service?.usage(ada.user, 1))?.months).toMatchObject([{ turns: 20 }]);
  });

  it('that could not be stored fails no turn', async () => {
    const { user, conversationId } = await somebody();
    const service = await openService();
    const turn = { scope: ownScope(user), conversationId, messageId };
    service.allowance(turn).onUse({ ...use, input: 0.5 });
    service.allowance(turn).onUse(use);
    await service.settled();
    expect(told.failures).toHaveLength(1);
    expect(await service.ofConversation(ownScope(user), conversationId)).toHaveLength(1);
  });
});

describe('a limit for each day', () => {
  const tokensPerDay = 2_000;
  const nobody = { conversationId: null, messageId: null };

  it('leaves models alone once it is spent, whoever spent it, and says so once', async () => {
    const [ada, ben] = [await somebody(), await somebody()];
    const service = await openService({ tokensPerDay });
    const [hers, his] = [ada, ben].map(({ user }) => service.allowance({ ...nobody, scope: ownScope(user) }));
    hers?.onUse(use);
    expect(his?.isLeft()).toBe(true);
    his?.onUse(use);
    // Effective at once, although it is stored a moment later.
    expect([hers?.isLeft(), his?.isLeft(), hers?.isLeft()]).toEqual([false, false, false]);
    expect(told.spent).toEqual([2_100]);
    await service.settled();
    expect((await service.usage(ada.user, 1)).today).toEqual({ tokens: 1_050, limit: null, isSpent: true });
    expect((await service.usage({ ...ada.user, isInstallationOwner: true }, 1)).today).toEqual({
      tokens: 2_100,
      limit: tokensPerDay,
      isSpent: true,
    });
  });

  it('begins anew with the next day of UTC', async () => {
    const { user } = await somebody();
    const service = await openService({ tokensPerDay: 1_000 });
    const allowance = service.allowance({ ...nobody, scope: ownScope(user) });
    allowance.onUse(use);
    expect(allowance.isLeft()).toBe(false);
    now = new Date('2026-11-23T00:00:00Z');
    await service.settled();
    expect(allowance.isLeft()).toBe(true);
    allowance.onUse(use);
    expect(allowance.isLeft()).toBe(false);
    expect(told.spent).toEqual([1_050, 1_050]);
  });

  it('outlives a restart, and knows what another server spends of it', async () => {
    const { user } = await somebody();
    const turn = { ...nobody, scope: ownScope(user) };
    const [one, other] = [await openService({ tokensPerDay }), await openService({ tokensPerDay })];
    one.allowance(turn).onUse(use);
    await one.settled();
    expect(other.allowance(turn).isLeft()).toBe(true);
    other.allowance(turn).onUse(use);
    await other.settled();
    expect(other.allowance(turn).isLeft()).toBe(false);
    const restarted = await openService({ tokensPerDay });
    expect(restarted.allowance(turn).isLeft()).toBe(false);
  });
});
