import type { RequestOf } from '#contract/action.ts';
import * as course from '#features/classroom/course.contract.ts';
import { updateToOSS } from '#features/file/file.contract.ts';
import * as goods from '#features/goods/goods.contract.ts';
import type { Call } from '#seed/demo/calls.ts';
import type { DemoRun } from '#seed/demo/run.ts';
import { drawCover, type Motif } from '#seed/demo/shop/covers.ts';
import { uploadMedia } from '#seed/demo/shelf/shelf.ts';

/** The goods of the demonstration: the platform sells to the provider, the provider to its institutions. Prices are 分. */

interface DemoGoods {
  by: 'platform' | 'provider';
  cover: readonly [motif: Motif, hue: number];
  /** 1 on sale; 0 draft; 2 was on sale and is taken off at the end */
  listing: 0 | 1 | 2;
  fields: Omit<RequestOf<typeof goods.insertGoods>, 'coverfileid' | 'courseid'>;
}

const students = ['000000002'];
const paragraphs = (...lines: string[]) => lines.map((line) => `<p>${line}</p>`).join('');

/** The goods by a short name. */
export const shelfOfGoods = {
  wholesale: {
    by: 'platform',
    cover: ['counts', 205],
    listing: 1,
    fields: {
      ...{ goodsname: '测评次数包（5000 次，任选方案）', goodstype: '01', plancode: '*', qty: 5000, price: 1_500_000 },
      ...{ marketprice: 1_800_000, visiblescope: '02', ordernum: 1 },
      detail: paragraphs('供服务商采购，可再分配给下级机构。', '次数长期有效；任选方案，按提交的份数扣减。'),
    },
  },
  training: {
    by: 'platform',
    cover: ['service', 255],
    listing: 1,
    fields: {
      ...{
        goodsname: '平台实施与管理员培训（一天）',
        goodstype: '03',
        price: 600_000,
        stock: 12,
        visiblescope: '02',
        ordernum: 2,
      },
      detail: paragraphs('到场一天：开通机构、导入名册、发起一次演练测评，并完成预警处置演练。'),
    },
  },
  booklets: {
    by: 'platform',
    cover: ['thing', 30],
    listing: 1,
    fields: {
      ...{ goodsname: '心理健康宣传册（100 册）', goodstype: '04', price: 38_000, stock: 200, ordernum: 3 },
      detail: paragraphs('32 页彩印，面向学生和家长：怎样休息、怎样求助、热线和校内渠道。'),
    },
  },
  term: {
    by: 'provider',
    cover: ['counts', 155],
    listing: 1,
    fields: {
      ...{ goodsname: '学生普测次数包（500 次，一学年）', goodstype: '01', plancode: 'P900002', qty: 500, price: 250_000 },
      ...{ validdays: 365, appids: students, ordernum: 1 },
      detail: paragraphs('用于“学生心理健康标准方案”，支付后一年内有效。', '未使用的次数可以申请退款。'),
    },
  },
  any: {
    by: 'provider',
    cover: ['counts', 185],
    listing: 1,
    fields: {
      ...{
        goodsname: '任选方案次数包（200 次）',
        goodstype: '01',
        plancode: '*',
        qty: 200,
        price: 120_000,
        marketprice: 160_000,
      },
      ...{ validdays: 180, ordernum: 2 },
      detail: paragraphs('可用于机构能使用的任何方案，适合转入学生、个别复测和临时安排。'),
    },
  },
  trial: {
    by: 'provider',
    cover: ['counts', 120],
    listing: 1,
    fields: {
      ...{
        goodsname: '体验次数包（50 次）',
        goodstype: '01',
        plancode: '*',
        qty: 50,
        price: 0,
        validdays: 60,
        stock: 30,
        ordernum: 3,
      },
      detail: paragraphs('免费体验，提交后立即到账，每家机构按需领取。'),
    },
  },
  lessons: {
    by: 'provider',
    cover: ['course', 215],
    listing: 1,
    fields: {
      ...{ goodsname: '课程：班主任的谈话基本功', goodstype: '02', price: 29_900, validdays: 365, appids: students, ordernum: 4 },
      detail: paragraphs('两课视频：先听再说；考试季家校沟通。支付后在云课堂学习，一年内有效。'),
    },
  },
  supervision: {
    by: 'provider',
    cover: ['service', 175],
    listing: 1,
    fields: {
      ...{ goodsname: '驻校心理督导（半天）', goodstype: '03', price: 80_000, stock: 20, ordernum: 5 },
      detail: paragraphs('督导师到校半天：个案讨论、处置流程检查、与学校商定下一步。'),
    },
  },
  sandplay: {
    by: 'provider',
    cover: ['thing', 45],
    listing: 2,
    fields: {
      ...{ goodsname: '团体沙盘器材套装', goodstype: '04', price: 268_000, stock: 6, ordernum: 6 },
      detail: paragraphs('沙盘一套、沙具 300 件、收纳柜一个，送货到校。'),
    },
  },
  workshop: {
    by: 'provider',
    cover: ['service', 20],
    listing: 0,
    fields: {
      ...{ goodsname: '教师减压工作坊（两小时）', goodstype: '03', price: 150_000, stock: 8, ordernum: 7 },
      detail: paragraphs('二十人以内，内容：呼吸与放松、情绪劳动、相互支持的约定。'),
    },
  },
} as const satisfies Record<string, DemoGoods>;
export type GoodsKey = keyof typeof shelfOfGoods;

/** Adds the course that the provider sells, with two lessons. */
async function addCourse(call: Call): Promise<number> {
  const { courseid } = await call(course.insertCourse, {
    ...{ title: '班主任的谈话基本功', lecturer: '方敏', free: 0, price: 29_900, audience: '02', appids: students, ordernum: 9 },
    intro: '两课：先听，再说；考试季，家里可以做的事。每课附谈话要点。',
  });
  for (const [index, [file, title]] of (
    [
      ['listen', '先听，再说'],
      ['exam', '考试季的家校沟通'],
    ] as const
  ).entries()) {
    const fileid = await uploadMedia(call, 'course', file, title);
    await call(course.insertLesson, { courseid, title, fileid, duration: 28, trial: index === 0 ? 1 : 0 });
  }
  const { version } = await call(course.getCourse, { courseid });
  await call(course.updateCourse, { courseid, version, status: 1 });
  return courseid;
}

/** Puts the goods on sale, ninety days ago. Returns their numbers. */
export async function addGoods({ calls, dates, asPlatform }: DemoRun): Promise<Record<GoodsKey, number>> {
  const provider = await calls.as('demo_fws', dates.day(-90, '10:00'));
  const platform = asPlatform(dates.day(-90, '09:00'));
  const courseid = await addCourse(provider);
  const ids = {} as Record<GoodsKey, number>;
  for (const [key, { by, cover, listing, fields }] of Object.entries(shelfOfGoods) as [GoodsKey, DemoGoods][]) {
    const call = by === 'platform' ? platform : provider;
    const [motif, hue] = cover;
    const picture = { filename: `${fields.goodsname}.png`, mime: 'image/png', content: await drawCover(motif, hue) };
    const { fileid: coverfileid } = await call(updateToOSS, { biztype: 'goods', ispublic: 1 }, picture);
    const more = fields.goodstype === '02' ? { courseid } : {};
    const { goodsid } = await call(goods.insertGoods, { ...fields, ...more, coverfileid });
    ids[key] = goodsid;
    if (listing !== 0) await call(goods.updateListingStatus, { goodsid, listingstatus: 1 });
  }
  return ids;
}
