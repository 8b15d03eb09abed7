import type { TestServer } from '#testing/server.ts';

/**
 * Contents of the shelf as rows, so that tests of readers need no upload. By default everybody below 安澜心理 sees them: published
 * yesterday, for persons and staff of every population.
 */
type Database = Pick<TestServer, 'sqlAsOwner'>;
type Row = Readonly<Record<string, unknown>>;

async function insert({ sqlAsOwner }: Database, table: string, key: string, row: Row): Promise<number> {
  const names = Object.keys(row);
  const [added] = await sqlAsOwner<Record<string, number>>(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning ${key}`,
    Object.values(row),
  );
  return Number(added?.[key]);
}

/** Adds the row of a file without bytes. Returns its number. */
export async function aContentFile(
  { sqlAsOwner }: Database,
  { musercode = 'M_ANLAN', mime = 'video/mp4', biztype = 'course', ispublic = 0 } = {},
): Promise<string> {
  const [file] = await sqlAsOwner<{ fileid: string }>(
    `insert into fileobj (musercode, filename, mime, size, sha256, path, biztype, ispublic, createby)
     values ($1, '文件', $2, 1000, '', 'upload/00/' || gen_random_uuid(), $3, $4, $1) returning fileid`,
    [musercode, mime, biztype, ispublic],
  );
  return file?.fileid as string;
}

/** Adds a published article. */
export const anArticle = (database: Database, row: Row = {}): Promise<number> =>
  insert(database, 'article', 'articleid', {
    musercode: 'M_ANLAN',
    title: '考前如何安睡',
    content: '<p>早点放下手机。</p>',
    category: '01',
    audience: '03',
    status: 1,
    publishtime: '2025-10-07T02:00:00Z',
    createby: 'M_ANLAN',
    ...row,
  });

/** Adds music that is on the shelf. */
export const aMusic = async (database: Database, row: Row = {}): Promise<number> =>
  insert(database, 'music', 'musicid', {
    musercode: 'M_ANLAN',
    title: '雨声',
    fileid: await aContentFile(database, { mime: 'audio/mpeg', biztype: 'music' }),
    duration: 180,
    category: '01',
    audience: '03',
    licence: '自制',
    status: 1,
    createby: 'M_ANLAN',
    ...row,
  });

/** Adds a course that is on the shelf, with lessons of a hundred seconds. */
export async function aCourse(
  database: Database,
  { lessons = [{}], ...row }: Row & { lessons?: readonly Row[] } = {},
): Promise<{ courseid: number; lessonids: number[] }> {
  const musercode = row['musercode'] ?? 'M_ANLAN';
  const courseid = await insert(database, 'course', 'courseid', {
    musercode,
    title: '情绪课',
    audience: '03',
    status: 1,
    createby: 'M_ANLAN',
    ...row,
  });
  const lessonids: number[] = [];
  for (const lesson of lessons)
    lessonids.push(
      await insert(database, 'lesson', 'lessonid', {
        courseid,
        musercode,
        title: `第 ${lessonids.length + 1} 课`,
        fileid: await aContentFile(database),
        duration: 100,
        ordernum: lessonids.length,
        ...lesson,
      }),
    );
  return { courseid, lessonids };
}
