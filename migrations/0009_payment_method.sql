-- What an outcome needs of its decision to count for provider health, without its document.
alter table decisions add column payment_method smallint not null default 0; -- PAYMENT_METHODS
