import { describe, expect, it } from 'vitest';
import { MentalState } from '#domain/base/enums.ts';
import { colourOf, mentalStateOf, recordLevel } from '#domain/scoring/mentalState.ts';

const levels = [null, 0, 1, 2, 3, 4] as const;

describe('the display of a form level', () => {
  it('maps to the five report colours, grey for no data', () => {
    expect(levels.map((level) => `${colourOf(level).index} ${colourOf(level).name} ${colourOf(level).hex}`)).toEqual([
      '0 灰 #9aa5a0',
      '1 绿 #43a777',
      '2 黄绿 #b8c93c',
      '3 橙黄 #f0a62f',
      '4 红 #e0553f',
      '5 深红 #8c1c13',
    ]);
  });

  it('prints dark text on the two yellow colours and light text on green, red and dark red', () => {
    const light = ([0, 1, 2, 3, 4] as const).filter((level) => colourOf(level).text === '#ffffff');
    expect(light).toEqual([0, 3, 4]);
  });

  it('maps to the mental states of the specification', () => {
    expect(levels.map((level) => MentalState.label(mentalStateOf(level)))).toEqual([
      '无',
      '良好',
      '轻度情绪问题',
      '中度情绪问题',
      '重度情绪问题',
      '重度情绪问题',
    ]);
  });

  it('takes the highest level of the valid forms of an exam', () => {
    const mild = { valid: true, overalllevel: 1 } as const;
    const doubtful = { valid: false, overalllevel: 3 } as const;
    expect(recordLevel([mild, { valid: true, overalllevel: 2 }, doubtful])).toBe(2);
    expect(
      recordLevel([
        { valid: true, overalllevel: null },
        { valid: true, overalllevel: 0 },
      ]),
    ).toBe(0);
    expect(recordLevel([doubtful])).toBeNull();
    expect(recordLevel([])).toBeNull();
  });
});
