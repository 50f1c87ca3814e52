import type { Server } from 'node:http';

export function createExampleShop(key: string): Server;
