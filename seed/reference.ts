import { createHash, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import type pg from 'pg';
import { allCodes } from '#contract/menu.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { library, quotasOf } from '#domain/scoring/scales/library.ts';
import { seedCommentary } from '#seed/commentary.ts';
import { roles } from '#seed/roles.ts';
import { apps, categories, stages } from '#seed/apps.ts';
import { hotlines } from '#seed/hotlines.ts';
import { plans } from '#seed/plans.ts';

// The ESM and CommonJS exports of the package differ. CommonJS works the same under Node and under the test runner.
const lcn = createRequire(import.meta.url)('lcn') as { data: { code: string; name: string }[] };

/** The platform's own tenant: the root of the tree and the owner of all shared data. */
export const platform = { musercode: platformCode, orgpath: `${platformCode}.` };

/**
 * Writes the reference data of this version: regions, applications, stages, questionnaires, texts of reports, built-in roles and
 * common plans. It runs at every start as the database owner and is safe to repeat. It keeps changes that the platform has made to
 * a built-in role, a common plan, a text or a stage. Row-level security binds the owner too, so it uses a session of the platform.
 */
export async function seedReference(client: pg.ClientBase) {
  await client.query('begin');
  await client.query("select pg_advisory_xact_lock(hashtext('xinli seed'))");
  await asPlatform(client, async () => {
    await client.query(
      `insert into muser (musercode, orgpath, username, musertype, insname, shortname, sector, categorycode,
        categorylevel, categorycode0, codes)
       values ($1, $2, 'admin', '001', 'AI智慧心理平台', '平台', 'platform', $1, 0, $1, $3)
       on conflict (musercode) do update set codes = excluded.codes`,
      [platform.musercode, platform.orgpath, allCodes],
    );
    await seedRegions(client);
    await seedApps(client);
    await seedHotlines(client);
    await seedLibrary(client);
    await seedCommentary(client);
    for (const role of roles)
      await client.query(
        `insert into role (musercode, rolename, rolekey, rolesort, datascope, codes, isbuiltin, remark)
          values ($1, $2, $3, $4, $5, $6, 1, $7)
         on conflict (orgpath, rolekey) where isdeleted = 0
         do update set rolename = excluded.rolename, datascope = excluded.datascope, codes = excluded.codes, remark = excluded.remark
           where role.updatetime = role.createtime`,
        [platform.musercode, role.rolename, role.rolekey, role.rolesort, role.datascope, role.codes, role.remark],
      );
    for (const plan of plans) {
      await client.query(
        `insert into plan (plancode, musercode, planname, appid, iscommon, retestdays, introduce) values ($1, $2, $3, $4, 1, $5, $6)
         on conflict (plancode) do update set planname = excluded.planname, introduce = excluded.introduce where plan.version = 1`,
        [plan.plancode, platform.musercode, plan.planname, plan.appid, plan.retestdays, plan.introduce],
      );
      for (const [ordernum, formcode] of plan.forms.entries())
        await client.query(
          'insert into planform (plancode, formcode, musercode, ordernum) values ($1, $2, $3, $4) on conflict do nothing',
          [plan.plancode, formcode, platform.musercode, ordernum + 1],
        );
    }
  });
  await client.query('commit');
}

/** Runs `work` with a session of the platform inside the open transaction. */
export async function asPlatform(client: pg.ClientBase, work: () => Promise<void>) {
  const session = createHash('sha256').update(randomBytes(32)).digest('hex');
  await client.query(
    `insert into auth.tenant (musercode, orgpath, musertype, sector, enabled) values ($1, $2, '001', 'platform', 1)
     on conflict do nothing`,
    [platform.musercode, platform.orgpath],
  );
  await client.query(
    `insert into auth.account (accountid, musercode, loginname, pwdhash, enabled) values ($1, $1, 'admin', '', 1)
     on conflict do nothing`,
    [platform.musercode],
  );
  await client.query(
    'insert into auth.specialaccount (musercode, issuper, appexempt, navextra) values ($1, 1, 1, 0) on conflict do nothing',
    [platform.musercode],
  );
  // The second special account of specification section 6: it gets no further codes.
  await client.query("insert into auth.specialaccount (musercode) values ('AS000002') on conflict do nothing");
  await client.query(
    `insert into auth.session (tokenhash, kind, musercode, accountid, expiretime, idle)
     values ($1, 'staff', $2, $2, now() + interval '10 minutes', '10 minutes')`,
    [session, platform.musercode],
  );
  await client.query("select set_config('app.session', $1, true)", [session]);
  await work();
  await client.query('delete from auth.session where tokenhash = $1', [session]);
}

async function seedRegions(client: pg.ClientBase) {
  const { rows } = await client.query<{ n: number }>('select count(*)::int as n from ref.district');
  const districts = lcn.data;
  if (rows[0]?.n === districts.length) return;
  const names = new Map(districts.map(({ code, name }) => [code, name]));
  const parentOf = (code: string) =>
    code.endsWith('0000')
      ? ''
      : code.endsWith('00')
        ? `${code.slice(0, 2)}0000`
        : names.has(`${code.slice(0, 4)}00`)
          ? `${code.slice(0, 4)}00`
          : `${code.slice(0, 2)}0000`;
  const fullname = (code: string): string => {
    const parent = parentOf(code);
    return parent ? `${fullname(parent)}/${names.get(code)}` : (names.get(code) ?? '');
  };
  await client.query(
    `insert into ref.district (districtcode, parentcode, districtname, level, fullname)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::text[])
     on conflict (districtcode) do update set districtname = excluded.districtname, fullname = excluded.fullname, enabled = 1`,
    [
      districts.map((d) => d.code),
      districts.map((d) => parentOf(d.code)),
      districts.map((d) => d.name),
      districts.map((d) => (d.code.endsWith('0000') ? 1 : d.code.endsWith('00') ? 2 : 3)),
      districts.map((d) => fullname(d.code)),
    ],
  );
}

async function seedApps(client: pg.ClientBase) {
  for (const app of apps)
    await client.query(
      `insert into ref.app (appid, appname, scenecode, iconurl, ordernum) values ($1, $2, $3, $4, $5)
       on conflict (appid) do update set appname = excluded.appname, iconurl = excluded.iconurl`,
      [app.appid, app.appname, app.scenecode, app.iconurl, app.ordernum],
    );
  for (const [index, category] of categories.entries())
    await client.query(
      `insert into ref.examcategory values ($1, $2, $3, $4)
       on conflict (categoryid) do update set categoryname = excluded.categoryname`,
      [category.categoryid, category.appid, category.categoryname, index + 1],
    );
  for (const [index, stage] of stages.entries())
    await client.query(
      `insert into examstage (musercode, isplatform, appid, stagecode, stagename, ordernum, autorule) values ($1, 1, $2, $3, $4, $5, $6)
       on conflict (orgpath, appid, stagecode) do nothing`,
      [
        platform.musercode,
        stage.appid,
        stage.stagecode,
        stage.stagename,
        index + 1,
        stage.autorule ? JSON.stringify(stage.autorule) : null,
      ],
    );
}

/** Writes the hotlines. A row that the platform has checked more recently stays. */
async function seedHotlines(client: pg.ClientBase) {
  for (const [ordernum, line] of hotlines.entries())
    await client.query(
      `insert into ref.hotline (region, number, name, hours, audience, source, checkedon, ordernum)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (region, number) do update set name = excluded.name, hours = excluded.hours, audience = excluded.audience,
         source = excluded.source, checkedon = excluded.checkedon, ordernum = excluded.ordernum
       where hotline.checkedon <= excluded.checkedon`,
      [line.region, line.number, line.name, line.hours, line.audience, line.source, line.checkedon, ordernum + 1],
    );
}

/** Writes the questionnaires. A published version never changes: a changed definition without a new version number stops the start. */
async function seedLibrary(client: pg.ClientBase) {
  for (const [ordernum, scale] of library.entries()) {
    const definition = JSON.stringify(scale);
    const hash = createHash('sha256').update(definition).digest('hex');
    const { rows } = await client.query<{ definitionhash: string; publishby: string | null }>(
      'select definitionhash, publishby from formversion where formcode = $1 and version = $2',
      [scale.formcode, scale.version],
    );
    // The platform has published a version of this number in the console: it stays.
    if (rows[0]?.publishby) continue;
    if (rows[0] && rows[0].definitionhash !== hash)
      throw new Error(`${scale.formcode} ${scale.version} was changed without a new version number`);
    const isNew = !rows[0];
    await client.query(
      `insert into form (formcode, musercode, isplatform, formname, entitle, formtype, tier, appids, itemcount,
        minutes, agemin, agemax, recall, introduce, citation, licencetext, currentversion, ordernum)
       values ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
       on conflict (formcode) do update set formname = excluded.formname, currentversion = excluded.currentversion,
         itemcount = excluded.itemcount,
         citation = excluded.citation, licencetext = excluded.licencetext, appids = excluded.appids, ordernum = excluded.ordernum
       where $18 or form.currentversion = excluded.currentversion`,
      [
        scale.formcode,
        platform.musercode,
        scale.title,
        scale.entitle ?? null,
        scale.formtype,
        scale.tier,
        [...(scale.appids ?? [])],
        scale.items.length,
        scale.minutes ?? Math.max(1, Math.ceil(scale.items.length / 6)),
        scale.agemin ?? null,
        scale.agemax ?? null,
        scale.recall ?? null,
        scale.instruction ?? null,
        scale.citation ?? null,
        scale.licencetext ?? null,
        scale.version,
        ordernum + 1,
        isNew,
      ],
    );
    if (isNew) await client.query('update formversion set status = 2 where formcode = $1 and status = 1', [scale.formcode]);
    if (isNew)
      await client.query(
        `insert into formversion (formcode, version, musercode, isplatform, definition, definitionhash)
         values ($1, $2, $3, 1, $4, $5)`,
        [scale.formcode, scale.version, platform.musercode, definition, hash],
      );
    for (const [index, quota] of quotasOf(scale).entries())
      await client.query(
        `insert into quota (quotacode, formcode, musercode, isplatform, scorecode, quotaname, kind, domain,
          isprimary, minscore, maxscore, better, ordernum)
         values ($1, $2, $3, 1, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict (quotacode)
           do update set quotaname = excluded.quotaname, domain = excluded.domain, isprimary = excluded.isprimary`,
        [
          quota.quotacode,
          quota.formcode,
          platform.musercode,
          quota.scorecode,
          quota.quotaname,
          quota.kind,
          quota.domain,
          quota.isprimary ? 1 : 0,
          quota.minscore,
          quota.maxscore,
          quota.better,
          index + 1,
        ],
      );
  }
}
