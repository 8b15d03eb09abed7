import type { Random } from '#seed/demo/content/random.ts';

/** Frequent family names with their share of the population in per mille. The other names share the rest equally. */
const surnames: readonly (readonly [string, number])[] = [
  ['王', 72],
  ['李', 72],
  ['张', 68],
  ['刘', 54],
  ['陈', 45],
  ['杨', 31],
  ['黄', 22],
  ['赵', 22],
  ['周', 21],
  ['吴', 20],
  ['徐', 17],
  ['孙', 15],
  ['马', 13],
  ['朱', 13],
  ['胡', 13],
  ['郭', 12],
  ['何', 12],
  ['林', 12],
  ['高', 11],
  ['罗', 11],
];
const otherSurnames = [
  ...'郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程苏魏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向常汤',
];

interface Pool {
  female: readonly string[];
  male: readonly string[];
}
/** Given names that were common at a person's time of birth. */
const pools: readonly (readonly [until: number, Pool])[] = [
  [
    1964,
    {
      female: ['秀英', '桂兰', '玉兰', '淑珍', '桂英', '秀兰', '凤英', '玉珍', '素芬', '翠兰'],
      male: ['建国', '志强', '国栋', '德明', '福生', '长顺', '永贵', '金生', '文彬', '树林'],
    },
  ],
  [
    1984,
    {
      female: ['芳', '丽', '敏', '静', '红', '娟', '艳', '玲', '燕', '丽华', '晓红', '春梅'],
      male: ['伟', '军', '勇', '强', '涛', '斌', '建军', '海波', '志刚', '国庆'],
    },
  ],
  [
    2004,
    {
      female: ['婷', '雨', '佳', '倩', '欣', '雪', '丹', '颖', '晓雯', '梦洁', '雅琪', '思敏', '佳慧', '文静', '晨露', '诗涵'],
      male: ['鑫', '浩', '磊', '帅', '宇', '俊杰', '志豪', '文博', '明轩', '子航'],
    },
  ],
  [
    9999,
    {
      female: [
        '梓涵',
        '欣怡',
        '一诺',
        '雨桐',
        '诗琪',
        '子涵',
        '可馨',
        '思彤',
        '语嫣',
        '佳怡',
        '梓萱',
        '若曦',
        '梦瑶',
        '紫萱',
        '雨萱',
        '欣妍',
        '依诺',
        '思雨',
        '静怡',
        '雅涵',
        '芷晴',
        '书瑶',
        '沐晴',
        '心悦',
        '子墨',
        '雨欣',
        '晨曦',
        '若彤',
        '艺涵',
        '婉清',
      ],
      male: [
        '子轩',
        '宇航',
        '浩然',
        '俊熙',
        '梓睿',
        '子豪',
        '明哲',
        '一鸣',
        '奕辰',
        '博文',
        '宇轩',
        '天佑',
        '嘉懿',
        '煜城',
        '昊天',
        '泽宇',
        '思远',
        '睿哲',
        '皓轩',
        '子睿',
        '铭泽',
        '俊豪',
        '景行',
        '致远',
        '承宇',
        '亦凡',
        '乐天',
        '星宇',
        '文轩',
        '家乐',
      ],
    },
  ],
];

/** Names of well-known people that the pools contain; no person gets one. */
const wellKnownNames = new Set([
  '王一博',
  '刘雨欣',
  '李文博',
  '张艺涵',
  '王宇',
  '李宇',
  '马丽',
  '王丽',
  '刘涛',
  '陈伟',
  '杨丽',
  '李静',
  '李娟',
  '周涛',
  '马强',
  '吴亦凡',
  '王静',
  '张静怡',
  '王浩',
  '林静',
]);

/** Returns a random fictional name. `gender` '01' male, '02' female. */
export function nameOf(random: Random, gender: string, birthYear: number): string {
  const pool = (pools.find(([until]) => birthYear <= until) ?? pools[3])?.[1] as Pool;
  for (;;) {
    const name = surnameOf(random) + random.pick(gender === '02' ? pool.female : pool.male);
    if (!wellKnownNames.has(name)) return name;
  }
}

/** Returns a random family name. */
export function surnameOf(random: Random): string {
  let position = random.next() * 1000;
  for (const [name, share] of surnames) if ((position -= share) < 0) return name;
  return random.pick(otherSurnames);
}
