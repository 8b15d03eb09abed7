import {
  PrimitiveValueListNode,
  ValueListNode,
  ValueNode,
  type ColumnUpdateNode,
  type InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  type PluginTransformQueryArgs,
  type RawNode,
  type RootOperationNode,
  type UpdateQueryNode,
} from 'kysely';
import { SEALED_COLUMNS, type Sealing } from '#server/sealing/sealedColumns.ts';
import { JsonToSeal, ToSeal, type TextSealer } from '#server/sealing/textSealer.ts';

type Columns = Readonly<Record<string, Sealing>>;

/**
 * Seals the values of `SEALED_COLUMNS` in each insert and update, and every `toSeal` of a raw statement. So a feature writes plain text.
 * The pools open the texts again (`openingTypes.ts`). Without a sealer a write to such a column fails.
 */
export function sealingPlugin(sealer: TextSealer | undefined): KyselyPlugin {
  const opened = () => {
    if (!sealer) throw new Error('these pools have no key, so they cannot write texts of case work');
    return sealer;
  };
  return {
    transformQuery: ({ node }: PluginTransformQueryArgs): RootOperationNode => {
      switch (node.kind) {
        case 'InsertQueryNode':
          return sealInsert(node, opened);
        case 'UpdateQueryNode':
          return sealUpdate(node, opened);
        case 'RawNode':
          return sealRaw(node, opened);
        default:
          return node;
      }
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
}

/** Returns the stored form of a value of a sealed column. */
function sealValue(sealer: TextSealer, sealing: Sealing, value: unknown): unknown {
  if (value === null || value === undefined || sealing === 'own') return value;
  if (value instanceof ToSeal) return sealer.seal(value.text);
  if (sealing === 'text' || sealing === 'list') return sealer.sealStrings(value);
  const json: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  return JSON.stringify(sealing === 'strings' ? sealer.sealStrings(json) : sealer.sealMembers(json, sealing.members));
}

const columnsOf = (table: string | undefined): Columns | undefined => (table === undefined ? undefined : SEALED_COLUMNS[table]);

/** Returns a value node sealed. Refuses an expression that could carry a text past the seal. */
function sealNode(column: string, sealing: Sealing, node: OperationNode, sealer: () => TextSealer): OperationNode {
  if (sealing === 'own') return node;
  if (ValueNode.is(node)) return { ...node, value: sealValue(sealer(), sealing, node.value) } as ValueNode;
  if (node.kind === 'RawNode') {
    const raw = node as RawNode;
    if (raw.parameters.every((parameter) => !ValueNode.is(parameter) || typeof parameter.value !== 'string'))
      return sealRaw(raw, sealer);
  }
  if (node.kind === 'ReferenceNode' || node.kind === 'DefaultInsertValueNode') return node;
  throw new Error(`column ${column} is sealed: write it as a value, not as an expression`);
}

function sealInsert(node: InsertQueryNode, sealer: () => TextSealer): InsertQueryNode {
  const columns = columnsOf(node.into?.table.identifier.name);
  if (!columns) return node;
  const names = (node.columns ?? []).map(({ column }) => column.name);
  let values = node.values;
  if (values?.kind === 'ValuesNode') {
    const rows = values as OperationNode & { values: readonly (PrimitiveValueListNode | ValueListNode)[] };
    const sealed = rows.values.map((row) =>
      PrimitiveValueListNode.is(row)
        ? PrimitiveValueListNode.create(
            row.values.map((value, at) => {
              const sealing = columns[names[at] ?? ''];
              return sealing && sealing !== 'own' ? sealValue(sealer(), sealing, value) : value;
            }),
          )
        : ValueListNode.create(
            row.values.map((value, at) => {
              const sealing = columns[names[at] ?? ''];
              return sealing ? sealNode(names[at] ?? '', sealing, value, sealer) : value;
            }),
          ),
    );
    values = { ...rows, values: sealed } as OperationNode;
  } else if (values && names.some((name) => columns[name] && columns[name] !== 'own')) {
    throw new Error('a table with sealed columns takes rows of values, or a raw statement with toSeal');
  }
  const updates = node.onConflict?.updates;
  return {
    ...node,
    ...(values ? { values } : {}),
    ...(node.onConflict && updates ? { onConflict: { ...node.onConflict, updates: sealUpdates(columns, updates, sealer) } } : {}),
  };
}

function sealUpdate(node: UpdateQueryNode, sealer: () => TextSealer): UpdateQueryNode {
  const place = node.table?.kind === 'AliasNode' ? (node.table as OperationNode & { node: OperationNode }).node : node.table;
  const columns = place?.kind === 'TableNode' ? columnsOf((place as TableLike).table.identifier.name) : undefined;
  if (!columns || !node.updates) return node;
  return { ...node, updates: sealUpdates(columns, node.updates, sealer) };
}
type TableLike = OperationNode & { table: { identifier: { name: string } } };

const sealUpdates = (columns: Columns, updates: readonly ColumnUpdateNode[], sealer: () => TextSealer): ColumnUpdateNode[] =>
  updates.map((update) => {
    const name = (update.column as OperationNode & { column: { name: string } }).column.name;
    const sealing = columns[name];
    return sealing ? { ...update, value: sealNode(name, sealing, update.value, sealer) } : update;
  });

/** Seals each `toSeal` of a raw statement and of the fragments inside it. */
function sealRaw(node: RawNode, sealer: () => TextSealer): RawNode {
  const isSealable = (parameter: OperationNode) =>
    parameter.kind === 'RawNode' ||
    (ValueNode.is(parameter) && (parameter.value instanceof ToSeal || parameter.value instanceof JsonToSeal));
  if (!node.parameters.some(isSealable)) return node;
  return {
    ...node,
    parameters: node.parameters.map((parameter) => {
      if (parameter.kind === 'RawNode') return sealRaw(parameter as RawNode, sealer);
      if (!ValueNode.is(parameter)) return parameter;
      const { value } = parameter;
      if (value instanceof ToSeal) return { ...parameter, value: sealer().seal(value.text) } as ValueNode;
      if (value instanceof JsonToSeal) return { ...parameter, value: sealer().sealJson(value) } as ValueNode;
      return parameter;
    }),
  };
}
