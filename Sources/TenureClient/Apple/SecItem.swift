#if canImport(Security)
    import Foundation
    import Security
    package import TenureCore
    package import TenureVault

    /// An item of the system's Keychain, of the kind that holds passwords, which never leaves this device: it is in no
    /// backup and on no other device of the same account.
    package struct SecItem: KeychainItem {
        private let service: String
        private let accessGroup: String?

        /// Names the item of a product. With an access group, apps of one vendor share it.
        package init(product: ProductRef, accessGroup: String? = nil) {
            service = "tenure/\(product.tenant.text)/\(product.product.text)"
            self.accessGroup = accessGroup
        }

        package func read() throws(VaultError) -> KeptItem? {
            var query = item
            query[kSecMatchLimit] = kSecMatchLimitOne
            query[kSecReturnData] = true
            query[kSecReturnAttributes] = true
            var found: CFTypeRef?
            let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess else { throw VaultError(.unreadable, status) }
            guard let facts = found as? [CFString: Any], let record = facts[kSecValueData] as? Data,
                let mark = facts[kSecAttrGeneric] as? Data
            else {
                throw VaultError(
                    .corrupted, "The record in the Keychain is not one of this program's. " + VaultError.activateAgain)
            }
            return KeptItem(record: Array(record), mark: Array(mark))
        }

        package func add(_ kept: KeptItem) throws(VaultError) -> Bool {
            var added = item.merging(values(of: kept)) { $1 }
            // To be read after a restart, once the device was unlocked, in the background too.
            added[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            added[kSecAttrLabel] = "License"
            let status = SecItemAdd(added as CFDictionary, nil)
            if status == errSecDuplicateItem { return false }
            guard status == errSecSuccess else { throw VaultError(.unwritable, status) }
            return true
        }

        package func replace(_ mark: [UInt8]?, with kept: KeptItem) throws(VaultError) -> Bool {
            var query = item
            if let mark { query[kSecAttrGeneric] = Data(mark) }
            let status = SecItemUpdate(query as CFDictionary, values(of: kept) as CFDictionary)
            if status == errSecItemNotFound { return false }
            guard status == errSecSuccess else { throw VaultError(.unwritable, status) }
            return true
        }

        private var item: [CFString: Any] {
            var item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "license",
                kSecAttrSynchronizable: false,
                // The Keychain of iOS on a Mac too: the other one asks the person for a password.
                kSecUseDataProtectionKeychain: true,
            ]
            if let accessGroup { item[kSecAttrAccessGroup] = accessGroup }
            return item
        }

        private func values(of kept: KeptItem) -> [CFString: Any] {
            [kSecValueData: Data(kept.record), kSecAttrGeneric: Data(kept.mark)]
        }
    }

    extension VaultError {
        /// Turns what the Keychain answered into a failure.
        fileprivate init(_ code: Code, _ status: OSStatus) {
            let told = SecCopyErrorMessageString(status, nil) as String?
            let reason = "The Keychain answered \(status)" + (told.map { " (\($0))" } ?? "") + ". "
            switch status {
            case errSecInteractionNotAllowed:
                self.init(code, reason + "Unlock the device once after its restart and try again.")
            case errSecMissingEntitlement:
                self.init(code, reason + "Sign the app with a Keychain access group, or keep the record in a file.")
            default:
                self.init(code, reason + "Look after the Keychain and try again.")
            }
        }
    }
#endif
