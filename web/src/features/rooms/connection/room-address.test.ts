import { expect, it } from 'vitest';
import { roomAddress } from './room-address.ts';

it.each([
  ['ws://127.0.0.1:3000', 'ws://127.0.0.1:3000'],
  ['wss://rooms.example.com', 'wss://rooms.example.com'],
  ['https://rooms.example.com', 'wss://rooms.example.com'],
  ['http://rooms.example.com:7880', 'wss://rooms.example.com:7880'],
  ['rooms.example.com', 'wss://rooms.example.com'],
])('opens %s at %s', (given, address) => expect(roomAddress(given)).toBe(address));
