import { describe, expect, it } from 'vitest';
import { packOf } from '#server/languages/index';
import { evidenceAmong } from './evidence.ts';

const { words } = packOf('en');
const told = [
  'Bluebird › Orders: We roast to order.',
  'Bluebird › Orders: Parcels leave on Tuesdays.',
  'Bluebird › Returns: Unopened bags can be returned within 30 days.',
  'Bluebird › Returns: Unless they were on sale.',
  'Bluebird: A family firm since 1990: father and sons.',
];

describe('evidence for a sentence', () => {
  it('is all that was told, each heading once, as long as there is room', () => {
    expect(evidenceAmong(told, '', words)('Bags can be returned.')).toBe(
      'Orders: We roast to order. Parcels leave on Tuesdays. Returns: Unopened bags can be returned within 30 days. Unless they were on sale. Bluebird: A family firm since 1990: father and sons.',
    );
  });

  it('is what shares most with it and stands beside that where there is no room, in the order of the text', () => {
    const others = Array.from({ length: 40 }, (_, n) => `Bluebird › Shops: Shop ${n} is on street ${n}.`);
    const evidence = evidenceAmong([...others, ...told], 'When do parcels leave?', words);
    const text = evidence('You can return an unopened bag within thirty days.');
    expect(text).toContain('Unopened bags can be returned within 30 days. Unless they were on sale.');
    expect(text).toContain('Parcels leave on Tuesdays.');
    expect(text.indexOf('Parcels')).toBeLessThan(text.indexOf('Unopened'));
    expect(text.length).toBeLessThanOrEqual(500);
  });

  it('is one statement at least, however long, and nothing where nothing was told', () => {
    const long = `Bluebird › Terms: ${'Whatever is bought is bought. '.repeat(40)}`;
    expect(evidenceAmong([long], '', words)('It is bought.')).toContain('Terms: Whatever is bought');
    expect(evidenceAmong([], '', words)('It is bought.')).toBe('');
  });
});
