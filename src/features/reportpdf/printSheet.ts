import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { withoutAnswers, type ReportContent } from '#domain/report/report.content.ts';
import { isErased } from '#domain/report/report.review.ts';
import { shortFormOf } from '#domain/report/report.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import type { ReportSheet } from '#server/pdf/reportPdf.ts';
import { readReport } from '#features/report/readReport.ts';
import { findLetterheads, findLoginName, findPicturePath } from '#features/reportpdf/reportpdf.queries.ts';
import { toVerifyCode, verifyLink } from '#features/reportpdf/verifyCode.ts';

type StaffContext = Context<'staff'>;

/** What the pages of an institution's reports show, and who prints them. */
export type Letterhead = Pick<ReportSheet, 'institution' | 'accent' | 'logo' | 'reader'>;

/** The colour of an institution without one of its own. */
const DEFAULT_ACCENT = '#43a777';
/** The height of a logo in pixels: three times its size on paper. */
const LOGO_HEIGHT = 48;

/** The logo as PNG; undefined without one, and when its file is missing or broken. */
async function readLogo({ storage }: StaffContext, path: string | null): Promise<Uint8Array | undefined> {
  if (!path) return undefined;
  try {
    const file = await buffer(await storage.get(path));
    return new Uint8Array(
      await sharp(file)
        .resize({ height: LOGO_HEIGHT, width: LOGO_HEIGHT * 4, fit: 'inside' })
        .png()
        .toBuffer(),
    );
  } catch {
    return undefined;
  }
}

/** The logo of a custom template, in the form of a letterhead; empty without one that the caller may read. */
export async function readTemplateLogo(
  ctx: StaffContext,
  { logofileid }: Pick<ReportContent, 'logofileid'>,
): Promise<Pick<ReportSheet, 'logo'>> {
  const logo = logofileid ? await readLogo(ctx, await findPicturePath(ctx.scope, logofileid)) : undefined;
  return logo ? { logo } : {};
}

/** The printing account as its colleagues know it: name and login name, and who acts in it. */
async function readerOf({ scope, caller }: StaffContext): Promise<string> {
  const account = `${caller.name} ${await findLoginName(scope, caller)}`;
  return caller.loginasname ? `${caller.loginasname}（登录${account}）` : account;
}

/** The letterheads of institutions by their code. */
export async function openLetterheads(ctx: StaffContext, musercodes: readonly string[]): Promise<Map<string, Letterhead>> {
  const rows = await findLetterheads(ctx.scope, [...new Set(musercodes)]);
  const reader = await readerOf(ctx);
  const heads = new Map<string, Letterhead>();
  for (const { musercode, insname, themecolor, logopath } of rows) {
    const logo = await readLogo(ctx, logopath);
    heads.set(musercode, { institution: insname, accent: themecolor ?? DEFAULT_ACCENT, reader, ...(logo ? { logo } : {}) });
  }
  return heads;
}

/** The edition of a report that is printed. */
export interface Edition {
  audience: 'self' | 'staff';
  /** 1: with the single answers, for staff who may read them */
  answers: number;
  /** 1: the two pages of 孕产妇1.0 */
  shortform: number;
}

/** A report as the caller prints it, with the facts of its audit row. Refuses 130001 when the caller may not see it. */
export async function toSheet(
  ctx: StaffContext,
  { reportcode, audience, answers, shortform }: Edition & { reportcode: string },
  letterheadOf: (musercode: string) => Promise<Letterhead | undefined> | Letterhead | undefined,
) {
  const { cipher, publicUrl, now } = ctx;
  const { row, cuserid, version, ...contents } = await readReport(ctx, { reportcode });
  if (isErased(contents.staff)) throw problems.wrongState({ why: '报告内容已删除，不能打印或导出' });
  const full = answers === 1 ? contents[audience] : withoutAnswers(contents[audience]);
  const content = shortform === 1 ? shortFormOf(full) : full;
  const letterhead = (await letterheadOf(row.musercode)) ?? {
    institution: row.insname,
    accent: DEFAULT_ACCENT,
    reader: await readerOf(ctx),
  };
  const code = toVerifyCode(cipher, reportcode, version);
  const sheet: ReportSheet = {
    ...letterhead,
    ...(await readTemplateLogo(ctx, content)),
    content,
    version,
    reportcode,
    printtime: now,
    verify: { url: verifyLink(publicUrl, code), code },
  };
  return { sheet, row, cuserid, version };
}
