import TenureClient
import TenureVault
import Testing

@Suite struct MemoryVaultTests {
    @Test func `a memory vault stores, replaces and updates a record`() throws {
        let vault = MemoryVault()
        #expect(try vault.load() == nil)
        #expect(try vault.update { _ in nil } == nil)
        try vault.replace([1])
        #expect(try vault.update { ($0 ?? []) + [2] } == [1, 2])
        #expect(try vault.update { _ in nil } == [1, 2])
        #expect(try vault.load() == [1, 2])
    }

    @Test func `a failing vault throws an error and doesn't lose its record`() throws {
        let vault = MemoryVault([1])
        let failure = VaultError(.unwritable, "The disk is full.")
        vault.fail(with: failure)
        #expect(throws: failure) { try vault.load() }
        #expect(throws: failure) { try vault.replace([2]) }
        #expect(throws: failure) { try vault.update { _ in [2] } }
        vault.fail(with: nil)
        #expect(try vault.load() == [1])
    }
}
