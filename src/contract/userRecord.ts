import { z } from 'zod';

/** What the console knows of the signed-in account (specification section 3, "Logged-in user record"). */
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
  /** address of the institution's logo; '' without one */
  logo: z.string(),
  realname: z.string(),
  phonenumber: z.string(),
  qrcodeurl: z.string(),
  loginas: z.enum(['', 'JYJ', 'FW01']),
  appexempt: z.boolean(),
  navextra: z.boolean(),
  /** the official website, for accounts with `navextra` where the operator has set one; else '' */
  website: z.string(),
  without: z.enum(['statistics1', 'statisticsN']),
  mustchangepwd: z.boolean(),
  /** a second factor is asked for and not set up yet: nothing else can be done before */
  mustenrol: z.boolean(),
  /** a second factor is set up: a code proves as much as the password does */
  secondfactor: z.boolean(),
  /** name of whoever acts in this account; empty: the account's own holder */
  loginasby: z.string(),
  /** seconds that acting for somebody may still last */
  loginasleft: z.number(),
  narrowed: z.boolean(),
  appid: z.string(),
  /** how the platform arranged the menu (菜单管理): only entries that differ from what was shipped */
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
  demo: z.boolean(),
});
export type UserRecord = z.infer<typeof userRecord>;
