import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { ContentAudience, MusicCategory, ShelfStatus } from '#domain/content/content.ts';
import { clockOf } from '#domain/content/duration.ts';
import { ContentTitle } from '#blocks/content/ContentTitle.tsx';
import { AudioPlayer } from '#blocks/content/MediaPlayer.tsx';
import { levelWords, populationWords } from '#blocks/content/ReaderFields.tsx';
import type { MediaHandle } from '#blocks/content/useMedia.ts';
import { call } from '#ui/api/call.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import { EnumBadge } from '#ui/display/badges.tsx';
import { PageStack } from '#ui/display/Section.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { RowMenu, RowMenuDelete, RowMenuItem } from '#ui/list/RowMenu.tsx';
import { useList } from '#ui/list/useList.ts';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { deleteMusic, getMusicPageList, updateMusic, type MusicRow } from '#features/music/music.contract.ts';

const MusicDrawer = lazyDialog(() => import('#features/music/MusicDrawer.tsx').then((file) => file.MusicDrawer));

const column = columnsOf(getMusicPageList);
const columns = [
  column.of('title', '标题', (row) => <ContentTitle kind="music" title={row.title} src={row.coverurl} />, { width: 230 }),
  column('category', '分类', MusicCategory.label, { width: 72 }),
  column('duration', '时长', clockOf, { width: 80, align: 'right' }),
  column('audience', '可见对象', ContentAudience.label, { width: 96, hidden: true }),
  column('appids', '人群', populationWords, { width: 104 }),
  column('levels', '推荐等级', levelWords, { width: 110, hint: '结果为这些等级的报告会推荐它；每份报告至多推荐一首音乐' }),
  column('licence', '来源与授权', { width: 150 }),
  column('status', '状态', (status) => <EnumBadge of={ShelfStatus} code={status} tones={{ 1: 'green' }} />, { width: 90 }),
  column('playcount', '播放次数', { width: 104, align: 'right', sort: true, hint: '只计次数，不记录谁播放过' }),
  column('ordernum', '顺序', { width: 80, align: 'right', sort: true, hidden: true }),
  column('updatetime', '修改时间', (time) => time.slice(0, 16), { width: 150, sort: true, hidden: true }),
];

/** Returns a new link of the recording of a piece; undefined when the piece no longer exists. */
async function renewLink(musicid: number): Promise<string | undefined> {
  const { rows } = await call(getMusicPageList, { musicid, page: 1, pageSize: 1 });
  return rows[0]?.url || undefined;
}

/** 音乐管理: the music of the institution. It plays in the list, whether it is on the shelf or not. */
export default function MusicListPage() {
  const list = useList(getMusicPageList);
  const [editing, setEditing] = useState<MusicRow | 'new'>();
  const [chosen, setChosen] = useState<MusicRow>();
  const [isPlaying, setIsPlaying] = useState(false);
  const player = useRef<MediaHandle>(null);
  const affected = [getMusicPageList];
  const change = useActionMutation(updateMusic, { invalidates: affected, successMessage: '保存成功' });
  const remove = useActionMutation(deleteMusic, { invalidates: affected, successMessage: '删除成功' });
  const hasFilters = Object.keys(list.filters).length > 0;
  // The newest state of the piece that plays; on another page of the list the one that was chosen.
  const index = list.rows.findIndex(({ musicid }) => musicid === chosen?.musicid);
  const playing = list.rows[index] ?? chosen;
  const neighbour = (step: number) => {
    const row = index < 0 ? undefined : list.rows[index + step];
    return row && (() => setChosen(row));
  };
  const toggle = (row: MusicRow) => (row.musicid === playing?.musicid ? player.current?.toggle() : setChosen(row));
  const toggleShelf = async ({ musicid, version, title, status }: MusicRow) => {
    const question = `下架后其他机构不能再播放“${title}”，报告也不再推荐它。确定下架吗？`;
    if (status === 1 && !(await confirm({ text: question, yes: '下架' }))) return;
    change.mutate({ musicid, version, status: status === 1 ? 0 : 1 });
  };
  const close = () => {
    setChosen(undefined);
    setIsPlaying(false);
  };
  const removeRow = async ({ musicid }: MusicRow) => {
    await remove.mutateAsync({ musicid });
    if (musicid === chosen?.musicid) close();
  };
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing('new')}>
      新增音乐
    </Button>
  );
  return (
    <PageStack>
      <ListPage
        list={list}
        filters={
          <>
            <TextFilter name="keyword" label="标题" />
            <EnumFilter name="category" label="分类" of={MusicCategory} />
            <EnumFilter name="status" label="状态" of={ShelfStatus} />
          </>
        }
        also={['musicid']}
        toolbar={add}
      >
        <DataTable
          list={list}
          columns={columns}
          rowKey="musicid"
          label="音乐列表"
          onOpen={setEditing}
          actions={(row) => (
            <>
              <Button
                variant="subtle"
                size="compact-sm"
                aria-label={`${isPlaying && row.musicid === playing?.musicid ? '暂停' : '播放'}${row.title}`}
                onClick={() => toggle(row)}
              >
                {isPlaying && row.musicid === playing?.musicid ? '暂停' : '播放'}
              </Button>
              <Button variant="subtle" size="compact-sm" onClick={() => setEditing(row)}>
                修改
              </Button>
              <RowMenu label={`${row.title}的更多操作`}>
                <RowMenuItem onClick={() => void toggleShelf(row)}>{row.status === 1 ? '下架' : '上架'}</RowMenuItem>
                <RowMenuDelete name={row.title} onConfirm={() => void removeRow(row).catch(() => undefined)} />
              </RowMenu>
            </>
          )}
          empty={
            <EmptyState
              filtered={hasFilters}
              reset={() => list.setFilters({})}
              {...(hasFilters
                ? {}
                : { title: '还没有音乐', hint: '上传一段 MP3，写明来源与授权，上架后本机构和下级机构都能播放' })}
            >
              {!hasFilters && add}
            </EmptyState>
          }
        />
      </ListPage>
      {playing && (
        <AudioPlayer
          ref={player}
          source={{ id: `${playing.musicid} ${playing.fileid}`, url: playing.url, length: playing.duration }}
          title={playing.title}
          subtitle={playing.licence}
          coverurl={playing.coverurl}
          autoPlay
          renew={() => renewLink(playing.musicid)}
          onPlaying={setIsPlaying}
          onPrevious={neighbour(-1)}
          onNext={neighbour(1)}
          onClose={close}
        />
      )}
      {editing && <MusicDrawer row={editing} onClose={() => setEditing(undefined)} />}
    </PageStack>
  );
}
