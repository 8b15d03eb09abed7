import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DraftFile, draftLife, sweepDrafts, type Draft, type DeviceStorage } from '#respondent/exam/draft.ts';
import { encrypt, deriveKey, decrypt } from '#respondent/api/encrypt.ts';

/** A browser storage as the standard describes it, with an optional limit in characters. */
class Device implements DeviceStorage {
  readonly #items = new Map<string, string>();
  readonly #room: number;
  constructor(room = Infinity) {
    this.#room = room;
  }
  get length() {
    return this.#items.size;
  }
  key(index: number) {
    return [...this.#items.keys()][index] ?? null;
  }
  getItem(key: string) {
    return this.#items.get(key) ?? null;
  }
  setItem(key: string, value: string) {
    if (value.length > this.#room) throw new DOMException('full', 'QuotaExceededError');
    this.#items.set(key, value);
  }
  removeItem(key: string) {
    this.#items.delete(key);
  }
}

const keyFor = async (secret: string, clientcode = 'school2026') => {
  const key = await deriveKey(secret, clientcode);
  if (!key) throw new Error('no WebCrypto here');
  return key;
};

const note: Draft = {
  submitkey: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  pending: [{ examformid: 7, c: 'note', value: '睡不着，一直想到家里的事', clientseq: 3 }],
};

describe('drafts on the device', () => {
  it('the same person can read a draft, also after signing in again', async () => {
    const device = new Device();
    await new DraftFile(device, await keyFor('secret of 王小雨'), 'E0000000001').write(note);
    expect(await new DraftFile(device, await keyFor('secret of 王小雨'), 'E0000000001').read()).toEqual(note);
  });

  it('the same person can read a draft from before the server changed its key', async () => {
    const device = new Device();
    const [before, after] = [await keyFor('secret of 王小雨'), await keyFor('new secret of 王小雨')];
    await new DraftFile(device, before, 'E0000000001').write(note);
    expect(await new DraftFile(device, after, 'E0000000001', [before]).read()).toEqual(note);
    expect(await new DraftFile(device, after, 'E0000000001').read()).toBeUndefined();
  });

  it('another person, another link or another exam cannot read a draft', async () => {
    const device = new Device();
    await new DraftFile(device, await keyFor('secret of 王小雨'), 'E0000000001').write(note);
    expect(await new DraftFile(device, await keyFor('secret of 李明'), 'E0000000001').read()).toBeUndefined();
    expect(await new DraftFile(device, await keyFor('secret of 王小雨', 'other2026'), 'E0000000001').read()).toBeUndefined();
    device.setItem('draft.E0000000002', device.getItem('draft.E0000000001') ?? '');
    expect(await new DraftFile(device, await keyFor('secret of 王小雨'), 'E0000000002').read()).toBeUndefined();
  });

  it('the storage shows no answers in clear text', async () => {
    const device = new Device();
    await new DraftFile(device, await keyFor('secret of 王小雨'), 'E0000000001').write(note);
    const stored = device.getItem('draft.E0000000001') ?? '';
    expect(Object.keys(JSON.parse(stored) as object).sort()).toEqual(['at', 'data', 'iv']);
    const { data } = JSON.parse(stored) as { data: string };
    expect(Buffer.from(data, 'base64').toString('utf8')).not.toMatch(/note|睡不着|6f9619ff/);
  });

  it('the draft holds the last of many fast writes', async () => {
    const device = new Device();
    const file = new DraftFile(device, await keyFor('secret of 王小雨'), 'E0000000001');
    const writes = Array.from({ length: 20 }, (_, index) => file.write({ submitkey: `${index}`, pending: [] }));
    await Promise.all(writes);
    expect((await file.read())?.submitkey).toBe('19');
  });

  it('submitting deletes the draft, also while a write is in progress', async () => {
    const device = new Device();
    const file = new DraftFile(device, await keyFor('secret of 王小雨'), 'E0000000001');
    const writing = file.write(note);
    file.remove();
    await writing;
    expect(device.length).toBe(0);
  });

  it('a draft is deleted after a day, also when the clock was set back; other items stay', async () => {
    const device = new Device();
    const now = Date.parse('2026-03-09T08:00:00Z');
    const key = await keyFor('secret of 王小雨');
    for (const [exam, at] of [
      ['old', now - draftLife - 1],
      ['future', now + draftLife + 1],
      ['fresh', now - draftLife + 1000],
    ] as const) {
      device.setItem(`draft.${exam}`, JSON.stringify(await encrypt(key, `draft.${exam}`, '{}', at)));
    }
    device.setItem('draft.broken', '{');
    device.setItem('respondent.view', '{"large":true}');
    sweepDrafts(device, now);
    expect([device.key(0), device.key(1), device.length]).toEqual(['draft.fresh', 'respondent.view', 2]);
  });

  it('a full storage reports that the draft was not written', async () => {
    expect(await new DraftFile(new Device(10), await keyFor('secret of 王小雨'), 'E1').write(note)).toBe(false);
  });

  it('without a secret or without WebCrypto the device stores no draft', async () => {
    expect(await deriveKey('', 'school2026')).toBeUndefined();
    const device = new Device();
    expect(await new DraftFile(device, undefined, 'E1').write(note)).toBe(false);
    expect(device.length).toBe(0);
  });

  it('every text is decrypted unchanged, and an altered byte decrypts to nothing', async () => {
    const key = await keyFor('secret of 王小雨');
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.nat(), async (text, position) => {
        const sealed = await encrypt(key, 'draft.E1', text, 0);
        expect(await decrypt(key, 'draft.E1', sealed)).toBe(text);
        const bytes = Buffer.from(sealed.data, 'base64');
        const index = position % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ 1;
        expect(await decrypt(key, 'draft.E1', { ...sealed, data: bytes.toString('base64') })).toBeUndefined();
      }),
    );
  });
});
