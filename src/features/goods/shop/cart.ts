import { useSyncExternalStore } from 'react';
import { newUuid } from '#domain/base/uuid.ts';
import { readPreference, savePreference } from '#ui/api/preference.ts';

/** 选购清单: what an account is about to order, of one seller. It stays in this browser until it is ordered; signing out removes it. */

export interface CartLine {
  goodsid: number;
  qty: number;
}
export interface Cart {
  /** the seller; '' while the cart is empty */
  musercode: string;
  insname: string;
  lines: readonly CartLine[];
  /** the key of the last request: the same request again makes no second order */
  sent?: { content: string; clientkey: string };
}

/** The kinds and the units of one order at most (`insertOrder`). */
export const MAX_LINES = 20;
export const MAX_QTY = 10_000;

const KEY = 'shop.cart';
const EMPTY: Cart = { musercode: '', insname: '', lines: [] };
const listeners = new Set<() => void>();
let last: { text: string; cart: Cart } = { text: '', cart: EMPTY };

const isLine = (line: unknown): line is CartLine =>
  typeof line === 'object' &&
  line !== null &&
  'goodsid' in line &&
  'qty' in line &&
  Number.isInteger(line.goodsid) &&
  Number.isInteger(line.qty) &&
  Number(line.qty) > 0;

/** Returns the cart of the signed-in account; the same object while it does not change. */
function read(): Cart {
  const stored = readPreference<Cart>(KEY);
  const text = JSON.stringify(stored ?? null);
  if (text === last.text) return last.cart;
  const lines = Array.isArray(stored?.lines) ? stored.lines.filter(isLine) : [];
  last = { text, cart: stored && lines.length > 0 ? { ...stored, lines } : EMPTY };
  return last.cart;
}

function write(cart: Cart): void {
  savePreference(KEY, cart.lines.length > 0 ? cart : null);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  // Another tab of the same account.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
};

/** Returns the cart and follows it. */
export const useCart = (): Cart => useSyncExternalStore(subscribe, read);

/** Whether goods of a seller fit into the cart: an order has one seller. */
export const isOtherSeller = (musercode: string): boolean => {
  const cart = read();
  return cart.lines.length > 0 && cart.musercode !== musercode;
};

interface Added {
  goodsid: number;
  musercode: string;
  insname: string;
}

/** Adds units of goods. Goods of another seller replace what was there. Returns false when the cart has no room for another kind. */
export function addToCart({ goodsid, musercode, insname }: Added, qty: number): boolean {
  const before = isOtherSeller(musercode) ? EMPTY : read();
  const known = before.lines.find((line) => line.goodsid === goodsid);
  if (!known && before.lines.length >= MAX_LINES) return false;
  const total = Math.min(MAX_QTY, (known?.qty ?? 0) + qty);
  const lines = known
    ? before.lines.map((line) => (line === known ? { goodsid, qty: total } : line))
    : [...before.lines, { goodsid, qty }];
  write({ ...before, musercode, insname, lines });
  return true;
}

/** Sets the units of goods; 0 removes them. */
export function setCartQty(goodsid: number, qty: number): void {
  const cart = read();
  const lines = cart.lines.map((line) => (line.goodsid === goodsid ? { goodsid, qty } : line));
  write({ ...cart, lines: lines.filter((line) => line.qty > 0) });
}

/** Empties the cart after the order. */
export const emptyCart = (): void => write(EMPTY);

/**
 * Returns the key of a request. A request with the same content gets the same key, also after a reload or a lost answer, so that it makes
 * no second order. Another content gets another key.
 */
export function clientkeyOf(request: unknown): string {
  const cart = read();
  const content = JSON.stringify(request);
  if (cart.sent?.content === content) return cart.sent.clientkey;
  const clientkey = newUuid();
  write({ ...cart, sent: { content, clientkey } });
  return clientkey;
}
