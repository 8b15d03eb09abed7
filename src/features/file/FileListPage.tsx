import { Button, Progress, Text, TextInput } from '@mantine/core';
import { IconFileMusic, IconFileTypePdf, IconMovie, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { fileKinds, fileUses, type FileUseKey } from '#domain/files/filekind.ts';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { Badge } from '#ui/display/badges.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { copyText } from '#ui/display/copyText.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { RowMenu, RowMenuDelete, RowMenuItem } from '#ui/list/RowMenu.tsx';
import { notify, notifyError } from '#ui/feedback/notify.ts';
import { EmptyState } from '#ui/feedback/states.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import { useList } from '#ui/list/useList.ts';
import { deleteFile, getFilePageList, type FileRow } from '#features/file/file.contract.ts';
import { sizeLabel } from '#blocks/file/upload/upload.labels.ts';
import { useUnfinished } from '#blocks/file/upload/UnfinishedUploads.tsx';
import { usesLabel, isPicture, findCurrentRow, typeLabel, fileUseOptions, absoluteUrl } from '#features/file/file.labels.ts';
import classes from './file.module.css';

const UploadDrawer = lazyDialog(() => import('#features/file/UploadDrawer.tsx').then((file) => file.UploadDrawer));
const FileDrawer = lazyDialog(() => import('#features/file/FileDrawer.tsx').then((file) => file.FileDrawer));

const ICONS = { [fileKinds.pdf.mime]: IconFileTypePdf, [fileKinds.mp3.mime]: IconFileMusic, [fileKinds.mp4.mime]: IconMovie };

function FileName({ row: { filename, mime, url } }: { row: FileRow }) {
  const Icon = ICONS[mime as keyof typeof ICONS] ?? IconFileTypePdf;
  return (
    <span className={classes['file']}>
      {isPicture(mime) ? (
        <img className={classes['thumb']} src={url} alt="" loading="lazy" />
      ) : (
        <span className={classes['thumb']}>
          <Icon size={18} stroke={1.5} aria-hidden />
        </span>
      )}
      <span className={classes['name']} data-long title={filename}>
        {filename}
      </span>
    </span>
  );
}

function Uses({ row }: { row: FileRow }) {
  const words = usesLabel(row);
  return words === '' ? (
    '—'
  ) : (
    <span data-long title={words}>
      {words}
    </span>
  );
}

const column = columnsOf(getFilePageList);
const columns = [
  column.of('filename', '文件名', (row) => <FileName row={row} />, { sort: 'filename', width: 230 }),
  column('mime', '类型', typeLabel, { width: 70 }),
  column('biztype', '用途', (use) => fileUses[use].title, { width: 100 }),
  column('size', '大小', sizeLabel, { width: 90, align: 'right', sort: true }),
  column('ispublic', '可见', (ispublic) => (ispublic ? <Badge tone="green">公开</Badge> : <Badge tone="gray">私有</Badge>), {
    width: 84,
    hint: '公开的文件地址长期有效；私有的文件每次复制的链接 10 分钟内有效',
  }),
  column.of('uses', '用于', (row) => <Uses row={row} />, { width: 150, hint: '使用中的文件不能修改和删除' }),
  column('uploader', '上传人', { width: 100 }),
  column('createtime', '上传时间', (time) => <RelativeTime at={time} />, { width: 110, sort: true }),
];

/** Returns the current row of a file with a new link. Warns the user when the file was deleted or renamed. */
async function reload(row: FileRow): Promise<FileRow | undefined> {
  const current = await findCurrentRow(row);
  if (!current) notify.warn('文件已被删除或改名，请刷新列表');
  return current;
}

async function copyLink(row: FileRow) {
  const current = await reload(row);
  if (!current) return;
  const link = absoluteUrl(current.url);
  const validity = current.ispublic ? '长期有效' : '10 分钟内有效';
  if (await copyText(link)) return notify.done(`链接已复制，${validity}`);
  // Without access to the clipboard, the dialog shows the link for copying by hand.
  const field = <TextInput aria-label="链接" readOnly value={link} data-autofocus onFocus={(event) => event.target.select()} />;
  await confirm({ title: `文件链接（${validity}）`, text: field, yes: '关闭', no: null });
}

async function save(row: FileRow) {
  const current = await reload(row);
  if (!current) return;
  const link = document.createElement('a');
  link.href = current.url;
  link.download = current.filename;
  link.click();
}

/** The used part of the institution's storage. */
function StorageMeter({ used, quota }: { used: number; quota: number }) {
  const share = Math.min(100, (used / quota) * 100);
  return (
    <div className={classes['room']}>
      <Text size="sm">
        已用 {sizeLabel(used)}，共 {sizeLabel(quota)}
      </Text>
      <Progress.Root size="sm" w={160}>
        <Progress.Section value={share} color={share > 90 ? 'red' : 'brand'} aria-label="已用空间" />
      </Progress.Root>
    </div>
  );
}

/** The caller's uploads that were interrupted, with the way to go on. */
function UnfinishedNote({ onOpen }: { onOpen: () => void }) {
  const unfinished = useUnfinished();
  const [first] = unfinished;
  if (!first) return null;
  return (
    <div className={classes['unfinished']} role="status">
      <Text size="sm" className={classes['unfinishedName'] ?? ''}>
        {unfinished.length === 1 ? `“${first.filename}”没有传完` : `有 ${unfinished.length} 个文件没有传完`}，可以从中断的地方继续
      </Text>
      <Button variant="light" size="compact-sm" onClick={onOpen}>
        继续上传
      </Button>
    </div>
  );
}

/** 文件上传: the institution's files that belong to no person. Staff use their links on other screens and outside of the product. */
export default function FileListPage() {
  const list = useList(getFilePageList);
  const [uploading, setUploading] = useState(false);
  const [editing, setEditing] = useState<FileRow>();
  const remove = useActionMutation(deleteFile, { invalidates: [getFilePageList], successMessage: '删除成功' });
  const uploadButton = (
    <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => setUploading(true)}>
      上传文件
    </Button>
  );
  return (
    <ListPage
      list={list}
      filters={
        <>
          <TextFilter name="filename" label="文件名" />
          <SelectFilter name="biztype" label="用途" options={fileUseOptions(LISTED_USES)} />
          <SelectFilter name="mine" label="上传人" options={[{ value: 1, label: '只看我上传的' }]} />
        </>
      }
      lead={list.answer && <StorageMeter used={list.answer.used} quota={list.answer.quota} />}
      toolbar={uploadButton}
    >
      {!uploading && <UnfinishedNote onOpen={() => setUploading(true)} />}
      <DataTable
        list={list}
        columns={columns}
        rowKey="fileid"
        label="文件列表"
        actions={(row) => (
          <>
            <Button variant="subtle" size="compact-sm" onClick={() => void copyLink(row).catch(notifyError)}>
              复制链接
            </Button>
            <Button variant="subtle" size="compact-sm" onClick={() => void save(row).catch(notifyError)}>
              下载
            </Button>
            {row.inuse === 0 && (
              <RowMenu label={`${row.filename}的更多操作`}>
                {(row.biztype !== 'avatar' || row.mine === 1) && <RowMenuItem onClick={() => setEditing(row)}>修改</RowMenuItem>}
                <RowMenuDelete name={row.filename} onConfirm={() => remove.mutate({ fileid: row.fileid })} />
              </RowMenu>
            )}
          </>
        )}
        {...(Object.keys(list.filters).length === 0
          ? {
              empty: (
                <EmptyState title="还没有文件" hint="上传图片、音频和资料，再把链接发给需要的人">
                  {uploadButton}
                </EmptyState>
              ),
            }
          : {})}
      />
      {uploading && <UploadDrawer onUploaded={list.refresh} onClose={() => setUploading(false)} />}
      {editing && <FileDrawer row={editing} onClose={() => setEditing(undefined)} />}
    </ListPage>
  );
}

/** The uses of the filter: files about persons are not listed. */
const LISTED_USES = (Object.keys(fileUses) as FileUseKey[]).filter(
  (use) => use !== 'consent' && use !== 'case' && use !== 'goods',
);
