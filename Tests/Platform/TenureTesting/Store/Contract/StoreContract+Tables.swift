import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension StoreContract {
    static let tables: [Case] = [
        Case("every declared table has a sample that covers each of its columns") { _ in
            try expectEqual(
                TableSample.all.map(\.table.name).sorted(), StoreSchema.tenure.tables.map(\.name).sorted())
            for sample in TableSample.all { try sample.checkDeclaration() }
        },
        Case("rows of every table are read back unchanged, with and without optional values") { store in
            for sample in TableSample.all {
                if sample.table.keyColumns.isEmpty || sample.table.isAppendOnly {
                    try await store.adopt(sample.rows, of: sample.table)
                } else if sample.table.changesAlone {
                    try await store.perform(
                        Transaction(aloneForm.bind()) { _ in TransactionResult((), sample.inserts) })
                } else {
                    try await store.perform(Transaction { TransactionResult((), sample.inserts) })
                }
                try await sample.check(in: store)
            }
        },
        Case("rows of every table that are adopted twice are stored once and unchanged") { store in
            for sample in TableSample.all {
                try await store.adopt(sample.rows, of: sample.table)
                try await store.adopt(sample.rows, of: sample.table)
                try await sample.check(in: store)
            }
        },
        Case("a declaration that swaps two columns is detected") { store in
            try await store.saveCatalog()
            try expectViolation { try Exchanged.names.checkDeclaration() }
            try await store.adopt(Exchanged.reading.rows, of: Exchanged.reading.table)
            do {
                try await Exchanged.reading.check(in: store)
            } catch is ContractViolation {
                return
            }
            throw ContractViolation(message: "nobody noticed", file: #fileID, line: #line)
        },
    ]

    private static func expectViolation(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch is ContractViolation {
            return
        }
        throw ContractViolation(message: "nobody noticed", file: #fileID, line: #line)
    }

    private static let aloneForm = QueryPlan(isAlone: true) { _ in }
}

/// Declarations of the trials table in which two columns are swapped.
private enum Exchanged {
    /// Swapped on writing and reading. A row survives a round trip, but each column contains the other column's value.
    static let names = sample(Field("started_at") { $0.recordedAt }, Field("recorded_at") { $0.start })
    /// Swapped on reading only. A row that is read back has changed.
    static let reading = sample(Field("started_at") { $0.start }, Field("recorded_at") { $0.recordedAt })

    private static func sample(_ one: Field<Trial>, _ other: Field<Trial>) -> TableSample {
        let name: [Field<Trial>] = [
            Field("tenant") { $0.product.tenant }, Field("product") { $0.product.product },
            Field("device") { $0.device },
        ]
        let table = Table<Trial>(
            "trials", key: ["tenant", "product", "device"], name + [one, other, Field("extra_days") { $0.extraDays }],
            foreignKeys: [ForeignKey(to: TenantRow.self)]
        ) { row in
            let product = ProductRef(tenant: try row.next(), product: try row.next())
            let device: Digest = try row.next()
            let (first, second): (Timestamp, Timestamp) = (try row.next(), try row.next())
            return Trial(
                product: product, device: device, start: second, recordedAt: first, extraDays: try row.next())
        }
        return TableSample(
            Sample.trial(1),
            [
                "tenant": .of(Sample.acme), "product": .of(Sample.notes.product), "device": .of(Sample.hash(1)),
                "started_at": .of(Sample.now), "recorded_at": .of(Sample.now.adding(seconds: 5)),
                "extra_days": .integer(0),
            ], in: table)
    }
}
