import Foundation
import GoldenFiles
import TenureContentServer
import TenureCore
import TenureMarketplaceServer
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// A change of the master key encrypts again only columns that a ``SealedRow`` declares, so nothing else may be
/// encrypted under this key.
@Suite struct SealedRowTests {
    @Test func `every column whose name starts with sealed is declared by a sealed row`() {
        let declared = Set(StoreSchema.tenure.sealedRows.map(Self.column))
        for table in StoreSchema.tenure.tables {
            for column in table.columns where column.name.hasPrefix("sealed") {
                #expect(declared.contains("\(table.name).\(column.name)"), "\(table.name).\(column.name)")
            }
        }
    }

    @Test func `the column that a sealed row declares exists in its table and stores bytes`() throws {
        for type in StoreSchema.tenure.sealedRows {
            let (table, name) = Self.shape(type)
            let column = try #require(table.columns.first { $0.name == name })
            #expect(column.type == .blob)
        }
    }

    /// Exempt are the master key's own files, and the start snapshot, because it is a file that a server writes again.
    @Test func `code that encrypts under the master key is in a file that declares a sealed row`() throws {
        let exempt: Set = ["MasterKey.swift", "MasterKeyState.swift", "RotateMasterKey.swift", "StartSnapshot.swift"]
        let folder = URL.packageRoot.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var callers: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            guard text.contains("labelled:") else { continue }
            callers.insert(file.lastPathComponent)
            if !exempt.contains(file.lastPathComponent), !text.contains(": SealedRow {") {
                Issue.record("\(file.lastPathComponent) encrypts under the master key and declares no sealed row")
            }
        }
        #expect(callers.count >= 5, "the test finds the code that encrypts")
    }

    @Test func `the encryption label of a tenant's setting contains the tenant and the kind of setting`()
        throws
    {
        let acme = try #require(TenantID("acme"))
        let target = ContentTargetRow(tenant: acme, target: "kollus", sealed: [])
        #expect(target.sealLabel == Array("tenure content|acme|kollus".utf8))
        let secret = MarketplaceSecretRow(tenant: acme, kind: .notifications, sealed: [])
        #expect(secret.sealLabel == Array("tenure marketplace secret|acme|notifications".utf8))
    }

    private static func column(_ type: any SealedRow.Type) -> String {
        let (table, column) = shape(type)
        return "\(table.name).\(column)"
    }

    private static func shape(_ type: any SealedRow.Type) -> (TableShape, String) {
        func shape<Row: SealedRow>(_ type: Row.Type) -> (TableShape, String) { (Row.table.shape, Row.sealedColumn) }
        return shape(type)
    }
}
