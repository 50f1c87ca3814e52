import { createServer } from 'node:http';

/** The shop's orders at its start; all of it is in memory. */
const freshOrders = () =>
  new Map([
    [
      '4471',
      { item: 'a kettle', total: '$49.00', status: 'on its way to you', delivery: 'It arrives on Friday.' },
    ],
    [
      '4472',
      {
        item: 'two reading lamps',
        total: '$78.00',
        status: 'being packed',
        delivery: 'It arrives next Tuesday.',
      },
    ],
    ['4473', { item: 'a toaster', total: '$35.00', status: 'delivered', delivery: 'It came last Monday.' }],
  ]);

const MAX_BODY_BYTES = 10_000;

/**
 * A shop with orders, refunds and appointments, for trying actions with. A repeated `Idempotency-Key` answers as at first.
 * @param {string} key what a request must carry as bearer token
 */
export function createExampleShop(key) {
  const orders = freshOrders();
  const appointments = [];
  const answered = new Map();

  const answer = async (request) => {
    if (request.headers.authorization !== `Bearer ${key}`) return [401, { error: 'Unknown key.' }];
    const { pathname } = new URL(request.url ?? '/', 'http://shop');
    const [, collection, id] = pathname.split('/').map(decodeURIComponent);
    if (request.method === 'GET' && collection === 'orders') {
      const order = orders.get(id ?? '');
      return order ? [200, { number: id, ...order }] : [404, { error: 'No such order.' }];
    }
    if (request.method !== 'POST') return [404, { error: 'Not here.' }];
    const wish = request.headers['idempotency-key'];
    const earlier = typeof wish === 'string' ? answered.get(wish) : undefined;
    if (earlier) return [200, earlier];
    const body = await bodyOf(request);
    const made = collection === 'refunds' ? refund(body) : collection === 'appointments' ? book(body) : null;
    if (!made) return [422, { error: 'That cannot be done.' }];
    if (typeof wish === 'string') answered.set(wish, made);
    return [201, made];
  };

  function refund({ order: number }) {
    const order = orders.get(number);
    return order ? { reference: `R-${number}`, amount: order.total, days: 5 } : null;
  }

  function book({ day, name }) {
    if (typeof day !== 'string' || typeof name !== 'string' || Number.isNaN(Date.parse(day))) return null;
    const appointment = { day, name, reference: `A-${101 + appointments.length}` };
    appointments.push(appointment);
    return { ...appointment, time: '10 am' };
  }

  return createServer((request, response) => {
    answer(request)
      .catch(() => [400, { error: 'That was not understood.' }])
      .then(([status, body]) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
  });
}

async function bodyOf(request) {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_BODY_BYTES) throw new Error('Too long.');
  }
  const body = JSON.parse(text);
  return typeof body === 'object' && body !== null ? body : {};
}
