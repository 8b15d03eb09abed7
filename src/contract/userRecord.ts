import { z } from 'zod';

/** The signed-in account for the console (specification section 3, "Logged-in user record"). */
export const userRecord = z.object({
  userid: z.string().nullable(),
  musercode: z.string(),
  musertype: z.string(),
  sector: z.string(),
  permissions: z.array(z.object({ component: z.string() })),
  provincecode: z.string(),
  citycode: z.string(),
  districtcode: z.string(),
  regionname: z.string(),
  categorycode: z.string(),
  categorylevel: z.number(),
  categorycode0: z.string(),
  categorycode1: z.string(),
  categorycode2: z.string(),
  categorycode3: z.string(),
  categorycode4: z.string(),
  categorycode5: z.string(),
  username: z.string(),
  sysusername: z.string(),
  insname: z.string(),
  /** address of the institution's logo; '' without a logo */
  logo: z.string(),
  /** the name that the console shows: sysusername of a member of staff, else username */
  name: z.string(),
  /** keys of the account's roles */
  roles: z.array(z.string()),
  /** address of the account's picture; '' without one */
  avatar: z.string(),
  /** changes with the account and its application: the console then builds its pages anew */
  routerKey: z.string(),
  realname: z.string(),
  phonenumber: z.string(),
  qrcodeurl: z.string(),
  loginas: z.enum(['', 'JYJ', 'FW01']),
  appexempt: z.boolean(),
  navextra: z.boolean(),
  /** the official website, for accounts with `navextra` if the operator set one; else '' */
  website: z.string(),
  without: z.enum(['statistics1', 'statisticsN']),
  mustchangepwd: z.boolean(),
  /** the account must set up a second factor before any other action */
  mustenrol: z.boolean(),
  /** the account has a second factor: a code is as good a proof as the password */
  secondfactor: z.boolean(),
  /** name of the person who acts in this account (代登录); '' when its owner signed in */
  loginasby: z.string(),
  /** seconds left for acting in this account */
  loginasleft: z.number(),
  narrowed: z.boolean(),
  /** last day of 收尾模式 of an institution whose contract has ended; '' otherwise */
  winddownuntil: z.string(),
  appid: z.string(),
  /** the applications of the institution; empty for accounts that have none of their own */
  appids: z.array(z.string()),
  /** the platform's changes of the menu (菜单管理): only entries that differ from the shipped menu */
  menu: z.array(
    z.object({
      menuid: z.number(),
      title: z.string().nullable(),
      icon: z.string().nullable(),
      ordernum: z.number().nullable(),
      hidden: z.number().nullable(),
      enabled: z.number(),
    }),
  ),
  /** day of the newest release note that the account has opened; the day of the account itself before the first one */
  releaseread: z.string(),
  demo: z.boolean(),
});
export type UserRecord = z.infer<typeof userRecord>;
