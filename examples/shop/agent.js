/** An agent of the shop, as `POST /api/agents` takes it: it knows the shop's rules. */
export const exampleAgent = {
  name: 'Robin',
  companyName: 'Copper Mill',
  personality: 'Friendly and brief. Takes customers seriously when something went wrong.',
  companyInfo: `# Copper Mill

## Delivery

Delivery takes 3 to 5 business days and costs $5.90. Above $50 it is free.

## Returns

Items can be returned within 45 days, unused and in their box. The refund goes to the original payment method within 5 business days.

## Store

Our store is in Mill Lane 4. It is open from Monday to Saturday, 9 am to 6 pm. The repair desk sees customers by appointment.
`,
  prompts: [],
};

const order = { name: 'order', label: 'order number', type: 'digits', pattern: '\\d{4}', required: true };

/**
 * What the agent does in the shop's own system, as `POST /api/agents/{id}/actions` takes it.
 * @param {string} address of the shop's system
 * @param {string} key what the system asks for
 */
export const exampleActions = (address, key) => {
  const headers = { Authorization: `Bearer ${key}` };
  return [
    {
      name: 'Order status',
      when: 'The customer asks where their order is. They want to know when their parcel arrives.',
      inputs: [order],
      method: 'GET',
      url: `${address}/orders/{order}`,
      headers,
      confirm: false,
      says: 'Order {order}, {answer.item}, is {answer.status}. {answer.delivery}',
    },
    {
      name: 'Ask for a refund',
      when: 'The customer wants their money back for an order.',
      inputs: [order],
      method: 'POST',
      url: `${address}/refunds`,
      headers,
      body: { order: '{order}' },
      confirm: true,
      says: 'The refund of {answer.amount} is made, its number is {answer.reference}. It reaches you within {answer.days} business days.',
    },
    {
      name: 'Book an appointment',
      when: 'The customer wants an appointment at the repair desk.',
      inputs: [
        { name: 'day', label: 'day of the appointment', type: 'date', required: true },
        { name: 'name', label: 'name for the appointment', type: 'text', required: true },
      ],
      method: 'POST',
      url: `${address}/appointments`,
      headers,
      body: { day: '{day}', name: '{name}' },
      confirm: true,
      says: 'You are booked for {answer.day} at {answer.time}. The reference is {answer.reference}.',
    },
  ];
};
