import type { Guard } from '#contract/menu.ts';

/** One change that users notice. */
interface Change {
  text: string;
  /** Only users with one of these rights read it; absent: everybody. */
  for?: readonly Guard[];
  /** the page where it is */
  path?: string;
}
/** The changes of one day, written by hand in the words of the users. */
export interface Release {
  /** 'YYYY-MM-DD' */
  day: string;
  title: string;
  changes: readonly Change[];
}

/** All releases, the newest first. */
export const releases: readonly Release[] = [
  {
    day: '2026-11-26',
    title: '上手更快，记录更快',
    changes: [
      { text: '工作台新增“开始使用”：按您的角色列出头几步，做完自动打勾。', path: '/workbench' },
      { text: '个案页新增“快速记录”：一句话按回车就记下；电话没打通点一下即可。', for: ['warning.handle'] },
      { text: '在手机上点联系电话可以直接拨打。', for: ['warning.handle', 'person.unmasked'] },
      { text: '搜索页面也可以用拼音首字母，例如 wjyj 找到“危机预警”。' },
      {
        text: '误点“受理”“电话没打通”，或分派了还没受理的个案，10 秒内可以撤销；时限照旧计算。',
        for: ['warning.handle'],
        path: '/earlyWarning/earlyWarningLevel',
      },
      { text: '可以用通行密钥登录：指纹、面容或设备密码，不用输密码和验证码。', path: '/profile/factor' },
      {
        text: '本单位允许时，登录可勾选“此设备 30 天内免二次验证”；在个人中心随时移除。',
        path: '/profile/factor',
      },
      { text: '个案备注里输入 @ 可以提到同事，对方会收到消息；消息里没有姓名和内容。', for: ['warning.handle'] },
      { text: '个案、档案、任务和团体可以固定，在工作台和搜索里一点就到。', path: '/workbench' },
      { text: '部门、排班、停诊和自己的视图误删后可以撤销。' },
      {
        text: '通知、对接、预警规则等机构设置集中到一页，从右上角账号菜单进入。',
        for: ['organization.users', 'warning.rules'],
        path: '/settings',
      },
      { text: '可以为校园平台、医院系统新建对接密钥，只读，每次读取都有记录。', for: ['organization.users'], path: '/apiKeys' },
      {
        text: '答卷提交、预警产生和结案时，可以把带签名的事件推送给本单位的系统；只有编号和等级，不含姓名。',
        for: ['organization.users'],
        path: '/webhooks',
      },
      { text: '任务可以导出为 FHIR 数据，供医院系统使用。', for: ['exam.export'], path: '/task/administration' },
    ],
  },
  {
    day: '2026-11-25',
    title: '少点几下，不再白做',
    changes: [
      { text: '按 Ctrl + K（Mac 为 ⌘ K）从任何一页找人、个案、任务、量表和页面。' },
      { text: '列表可以保存视图，调整列宽和行距，并与同事共用。' },
      { text: '每一页都有“这一页怎么用”，按 H 打开。' },
      { text: '缺测标记、报告展示和责任人分配后可以撤销，也可以按 Ctrl + Z。' },
      { text: '新增“我的日程”，可以订阅到手机日历。', for: ['consult.followups', 'warning.handle'], path: '/planner' },
    ],
  },
];
