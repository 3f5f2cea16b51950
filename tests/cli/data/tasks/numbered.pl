% Things are numbered, those with the label first; the numbers say nothing.
part(0,p0a). part(0,p0b). red(p0a). blue(p0b). pos(f(0)).
part(1,p1a). part(1,p1b). red(p1a). blue(p1b). pos(f(1)).
part(2,p2a). part(2,p2b). red(p2a). blue(p2b). pos(f(2)).
part(3,p3a). part(3,p3b). red(p3a). blue(p3b). pos(f(3)).
part(4,p4a). part(4,p4b). red(p4a). blue(p4b). pos(f(4)).
part(5,p5a). part(5,p5b). red(p5a). blue(p5b). pos(f(5)).
part(6,p6a). part(6,p6b). red(p6a). blue(p6b). pos(f(6)).
part(7,p7a). part(7,p7b). red(p7a). blue(p7b). pos(f(7)).
part(8,p8a). part(8,p8b). green(p8a). green(p8b). neg(f(8)).
part(9,p9a). part(9,p9b). red(p9a). green(p9b). neg(f(9)).
part(10,p10a). part(10,p10b). red(p10a). red(p10b). neg(f(10)).
part(11,p11a). part(11,p11b). red(p11a). red(p11b). neg(f(11)).
part(12,p12a). part(12,p12b). green(p12a). green(p12b). neg(f(12)).
part(13,p13a). part(13,p13b). red(p13a). green(p13b). neg(f(13)).
part(14,p14a). part(14,p14b). red(p14a). red(p14b). neg(f(14)).
part(15,p15a). part(15,p15b). red(p15a). red(p15b). neg(f(15)).
