const at = new Date(2026, 10, 5, 15, 5).toISOString();

/** A complete agent as the server returns it, for the tests of the agents' pages. */
export const anAgent = (change: object = {}) => ({
  _id: 'agent-1',
  name: 'Mia',
  companyName: 'Contoso Bikes',
  personality: 'Friendly and brief.',
  companyInfo: 'We are open from 9 am to 6 pm.',
  prompts: ['Offer a test ride.'],
  createdAt: at,
  updatedAt: at,
  ...change,
});
