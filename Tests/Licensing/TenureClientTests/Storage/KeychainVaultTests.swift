import TenureClient
import TenureVault
import Testing

@Suite struct KeychainVaultTests {
    let item = FakeItem()
    var vault: KeychainVault { KeychainVault(item) }

    @Test func `a Keychain vault stores, replaces and updates a record`() throws {
        #expect(try vault.load() == nil)
        #expect(try vault.update { _ in nil } == nil)
        #expect(item.stored == nil)
        try vault.replace([1])
        #expect(try vault.update { ($0 ?? []) + [2] } == [1, 2])
        #expect(try vault.update { _ in nil } == [1, 2])
        #expect(try vault.load() == [1, 2])
    }

    @Test func `an update of an empty Keychain vault stores a record`() throws {
        #expect(try vault.update { ($0 ?? [9]) + [2] } == [9, 2])
        #expect(try vault.load() == [9, 2])
    }

    @Test func `each write of a Keychain item stores a different 16-byte value with the record`() throws {
        var marks: Set<[UInt8]> = []
        for _ in 0..<4 {
            try vault.replace([1])
            marks.insert(try #require(item.stored).mark)
        }
        #expect(marks.count == 4)
        #expect(marks.allSatisfy { $0.count == 16 })
    }

    @Test func `a Keychain update is repeated with another process's record if that process wrote meanwhile`() throws {
        for before in [nil, KeptItem(record: [1], mark: [1])] as [KeptItem?] {
            item.stored = before
            item.beforeWrite = { $0.stored = KeptItem(record: [7], mark: [7]) }
            var seen: [[UInt8]?] = []
            let stored = try vault.update { record in
                seen.append(record)
                return (record ?? []) + [2]
            }
            #expect(seen == [before?.record, [7]])
            #expect(stored == [7, 2])
            #expect(item.stored?.record == [7, 2])
        }
    }

    @Test(arguments: [false, true])
    func `a damaged Keychain item is replaced only if no other process has replaced it meanwhile`(isReplaced: Bool)
        throws
    {
        let damage = VaultError(.corrupted, "It is damaged.")
        item.stored = KeptItem(record: [0], mark: [0])
        item.damage = damage
        var seen: [Result<[UInt8]?, VaultError>] = []
        let record = try vault.rewrite { stored throws(VaultError) in
            seen.append(stored)
            if isReplaced, seen.count == 1 {
                item.stored = KeptItem(record: [7], mark: [7])
                item.damage = nil
            }
            return ((try? stored.get()) ?? []) + [2]
        }
        #expect(seen == [.failure(damage)] + (isReplaced ? [.success([7])] : []))
        #expect(record == (isReplaced ? [7, 2] : [2]))
        #expect(try vault.load() == record)
    }

    @Test func `replacing a Keychain record succeeds even if another process adds or deletes it meanwhile`() throws {
        item.beforeWrite = { $0.stored = KeptItem(record: [7], mark: [7]) }
        try vault.replace([1])
        #expect(try vault.load() == [1])
        item.beforeWrite = { $0.stored = nil }
        try vault.replace([2])
        #expect(try vault.load() == [2])
    }

    @Test func `updating a Keychain item that keeps changing meanwhile ends with an error`() throws {
        let item = FakeItem()
        item.isRestless = true
        let error = #expect(throws: VaultError.self) { try KeychainVault(item).update { _ in [1] } }
        #expect(error?.code == .unwritable)
    }

    @Test func `loads, updates and replacements throw the Keychain's errors`() throws {
        let locked = VaultError(.unreadable, "The Keychain is locked.")
        item.failure = locked
        #expect(throws: locked) { try vault.load() }
        #expect(throws: locked) { try vault.update { _ in [1] } }
        #expect(throws: locked) { try vault.replace([1]) }
    }

    @Test func `a Keychain vault refuses a record over 1 MiB`() throws {
        let error = #expect(throws: VaultError.self) {
            try vault.replace(Array(repeating: 0, count: KeychainVault.longestRecord + 1))
        }
        #expect(error?.code == .unwritable)
        #expect(item.stored == nil)
    }
}
