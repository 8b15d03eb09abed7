/** The day on which the sources below were read (clinical-rules J). */
const checkedon = '2026-11-20';
const health = '国家卫生健康委 2024-12-25：12356 每天服务不少于18小时';
const audience = '所有人';

/** Hotlines of the whole country (region '') and of regions whose hours are published. 400-161-9995 is left out: half unanswered. */
export const hotlines = [
  {
    region: '',
    number: '12356',
    name: '全国统一心理援助热线',
    hours: '每天至少18小时，各地不同',
    audience,
    source: health,
    checkedon,
  },
  {
    region: '350000',
    number: '12356',
    name: '心理援助热线（福建）',
    hours: '00:00-24:00',
    audience,
    source: '地方公布 2025',
    checkedon,
  },
  {
    region: '410200',
    number: '12356',
    name: '心理援助热线（开封）',
    hours: '00:00-24:00',
    audience,
    source: '地方公布 2025',
    checkedon,
  },
  {
    region: '140700',
    number: '12356',
    name: '心理援助热线（晋中）',
    hours: '08:00-02:00',
    audience,
    source: '地方公布 2025',
    checkedon,
  },
  {
    region: '',
    number: '010-82951332',
    name: '北京心理援助热线（全国可打）',
    hours: '00:00-24:00',
    audience,
    source: '新闻报道 2024',
    checkedon,
  },
  {
    region: '',
    number: '12355',
    name: '青少年服务热线',
    hours: '时间以当地公布为准',
    audience: '青少年',
    source: '未核实',
    checkedon,
  },
] as const;
