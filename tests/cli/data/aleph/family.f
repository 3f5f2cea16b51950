grandparent(ann,cid). grandparent(eve,bob). grandparent(ann,dan).
