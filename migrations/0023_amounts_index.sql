-- Each node looks once a minute for what changed lately: without an index it read every merchant's amounts.
create index merchant_amounts_updated on merchant_amounts (updated_at);
