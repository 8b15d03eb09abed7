-- Adds the counter: goods, orders, payments, refunds and the daily comparison.

-- The counter: goods that the platform and providers sell, orders of the institutions below them, payments and refunds. Amounts are 分.

create sequence orderno_seq;

create table goods (
  goodsid bigint generated always as identity primary key,
  musercode text not null,  -- the seller
  orgpath text collate "C" not null,
  goodsname text not null,
  goodstype text not null check (goodstype in ('01', '02', '03', '04')),  -- 01 counts, 02 course, 03 service, 04 thing
  plancode text,  -- counts: the lineage of a plan, or '*' for any plan
  qty int check (qty > 0),  -- counts: how many one unit brings
  validdays int check (validdays > 0),  -- counts and courses: valid until the day of payment plus these days; null: without end
  courseid bigint references course,
  price int not null check (price >= 0),
  marketprice int check (marketprice >= 0),  -- shown struck through
  stock int check (stock >= 0),  -- null: without limit
  taken int not null default 0,  -- the units that open and paid orders took; the daily comparison counts the orders again
  coverfileid uuid references fileobj,
  detail text not null default '',  -- sanitised HTML
  appids text[] not null default '{}',
  listingstatus smallint not null default 0 check (listingstatus in (0, 1, 2)),  -- 0 draft, 1 on sale, 2 taken off
  visiblescope text not null default '01' check (visiblescope in ('01', '02')),  -- 01 all below, 02 directly below
  sales int not null default 0,
  ordernum int not null default 0,
  createby text not null,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  isdeleted smallint not null default 0,
  check (goodstype = '01' or (plancode is null and qty is null)),
  check (goodstype = '02' or courseid is null)
);
create index goods_orgpath_idx on goods (orgpath, ordernum) where isdeleted = 0;
select access.follow_tenant('goods');
select access.track_edits('goods',
  'goodsname,plancode,qty,validdays,courseid,price,marketprice,stock,coverfileid,detail,appids,visiblescope,ordernum');

-- An order of one buyer to one seller above it.
create table orders (
  orderno text primary key,  -- yyyyMMddHHmmss and 6 digits
  musercode text not null,  -- the buyer
  orgpath text collate "C" not null,
  sellermusercode text not null,
  orderstatus smallint not null default 1 check (orderstatus in (1, 2, 3, 4, 5, 10, 11)),
  totalamount int not null check (totalamount >= 0),
  payamount int not null check (payamount >= 0),
  refundamount int not null default 0 check (refundamount between 0 and payamount),
  goodscount int not null check (goodscount > 0),
  paychannel text check (paychannel in ('01', '02', '03', '04')),
  payno text,
  paytime timestamptz,
  payingtime timestamptz,  -- since when it is in 支付中
  expiretime timestamptz not null,
  voucherfileid uuid references fileobj,
  transferno text,  -- what the first human of the seller read on the transfer: number, date, amount
  transferdate date,
  transferamount int,
  transferby text,
  transferkeys text[] not null default '{}',  -- the keys of this human; another one confirms
  canceltime timestamptz,
  cancelreason text not null default '',
  receiver text not null default '',  -- things: who receives them
  receiverphone text not null default '',  -- sealed
  receiveraddress text not null default '',
  invoicestatus text not null default '00',
  invoicetitle text not null default '',
  taxno text not null default '',
  invoiceno text not null default '',
  remark text not null default '',
  clientkey text not null,  -- the same key again returns the same order
  createby text not null,
  createtime timestamptz not null,
  updatetime timestamptz not null,
  unique (orgpath, musercode, clientkey)
);
create index orders_musercode_idx on orders (musercode, createtime desc);
create index orders_seller_idx on orders (sellermusercode, createtime desc);
create index orders_waiting_idx on orders (orderstatus, expiretime) where orderstatus in (1, 2, 4);
select access.follow_tenant('orders');

create table orderitem (
  orderno text not null references orders,
  seq smallint not null,
  musercode text not null,
  orgpath text collate "C" not null,
  goodsid bigint not null references goods,
  goodsname text not null,  -- as it was sold
  goodstype text not null,
  price int not null check (price >= 0),
  qty int not null check (qty > 0),
  amount int not null check (amount = price * qty),
  plancode text,
  countqty int not null default 0,  -- counts of one unit
  validdays int,
  courseid bigint references course,
  enddate date,  -- the last day of the counts or the course that were bought
  delivered smallint not null default 0,
  delivertime timestamptz,
  refundedqty int not null default 0 check (refundedqty between 0 and qty),
  primary key (orderno, seq)
);
create index orderitem_goodsid_idx on orderitem (goodsid);
select access.follow_tenant('orderitem');

-- The seller's counts that an unpaid order holds. They are frozen in the seller's wallet until the order is paid or cancelled.
create table orderhold (
  orderno text not null,
  seq smallint not null,
  musercode text not null,  -- the seller
  orgpath text collate "C" not null,
  walletcode text not null,
  qty int not null check (qty > 0),
  primary key (orderno, seq),
  foreign key (orderno, seq) references orderitem
);
create index orderhold_musercode_idx on orderhold (musercode, walletcode);
select access.follow_tenant('orderhold');

create table refund (
  refundno text primary key,
  orderno text not null references orders,
  musercode text not null,  -- the buyer
  orgpath text collate "C" not null,
  amount int not null check (amount >= 0),
  items jsonb not null default '[]',  -- [{seq, qty}]
  takenback jsonb not null default '[]',  -- the lots of counts that it took: [{seq, walletcode, enddate, qty}]
  reason text not null,
  status smallint not null default 0 check (status in (0, 1, 2, 3, 4)),  -- 0 asked, 1 running, 2 done, 3 failed, 4 rejected
  issurplus smallint not null default 0,  -- 1: money that came too late or twice
  payno text,  -- the payment that it gives back
  refundpayno text,  -- the number of the repayment
  askedby text not null,
  askkeys text[] not null default '{}',  -- the keys of the human who asked; another one answers
  answeredby text,
  answer text not null default '',
  createtime timestamptz not null,
  donetime timestamptz
);
create unique index refund_running on refund (orgpath, orderno) where status in (0, 1) and issurplus = 0;
create unique index refund_surplus on refund (orgpath, orderno, payno) where issurplus = 1;
create index refund_orderno_idx on refund (orderno);
select access.follow_tenant('refund');

-- What happened to an order. Rows are only added.
create table orderlog (
  logid bigint generated always as identity primary key,
  orderno text not null references orders,
  musercode text not null,
  orgpath text collate "C" not null,
  fromstatus smallint,
  tostatus smallint not null,
  event text not null,
  content text not null default '',
  operator text,  -- null: the server or a gateway
  operatorname text not null,
  time timestamptz not null
);
create index orderlog_orderno_idx on orderlog (orderno, logid);
select access.follow_tenant('orderlog');

-- Every notice of a gateway, once. The same notice again changes nothing.
create table paynotice (
  channel text not null,
  payno text not null,
  state text not null,  -- success, fail, refunded, refundfailed
  orderno text not null references orders,
  musercode text not null,
  orgpath text collate "C" not null,
  amount int not null,
  time timestamptz not null,  -- as the gateway says
  createtime timestamptz not null,
  primary key (channel, payno, state)
);
create index paynotice_orderno_idx on paynotice (orderno);
select access.follow_tenant('paynotice');

-- The daily comparison of a seller: money, counts, holds and stock, each with its difference.
create table payreconcile (
  musercode text not null,  -- the seller
  orgpath text collate "C" not null,
  day date not null,
  lines jsonb not null,  -- [{kind, title, expected, actual, ordernos}]
  isbalanced smallint not null,
  createtime timestamptz not null,
  primary key (musercode, day)
);
select access.follow_tenant('payreconcile');

-- The daily comparison reads the movements of orders.
create index assesscountlog_order on assesscountlog (orderno) where orderno is not null;

-- How many lessons of a course learners of an institution in the caller's range have finished: a refund asks.
create function access.finished_lessons(buyer text, course bigint) returns int
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select count(*) from public.lessonprogress p join public.lesson l on l.lessonid = p.lessonid
    where l.courseid = course and p.musercode = buyer and p.finishtime is not null
      and p.orgpath >= (select access.path_from()) and p.orgpath < (select access.path_to()));
end $$;

-- The counter: a buyer reads goods on sale of the institutions above it. A seller reads the orders of the institutions below it; the
-- actions show each institution only its own sales and purchases.
select access.protect('goods');
select access.protect('orders');
select access.protect('orderitem');
select access.protect('orderhold');
select access.protect('refund');
select access.protect('orderlog');
select access.protect('paynotice');
select access.protect('payreconcile');
create policy from_above on goods for select to xinli_app
  using (listingstatus = 1 and isdeleted = 0 and orgpath = any ((select access.ancestor_paths())::text[]));
create policy of_goods on fileobj for select to xinli_app
  using (biztype = 'goods' and isdeleted = 0 and orgpath = any ((select access.ancestor_paths())::text[]));

grant select, insert, update, delete on goods, orders, orderitem, orderhold, refund, orderlog, paynotice, payreconcile to xinli_app;
revoke update, delete on orderlog, paynotice from xinli_app;
revoke delete on orders, orderitem, refund from xinli_app;
grant usage on sequence goods_goodsid_seq, orderlog_logid_seq, orderno_seq to xinli_app;
grant execute on function access.finished_lessons(text, bigint) to xinli_app;
