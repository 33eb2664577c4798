import TenureCore
import TenureFormats

extension WaitingApp {
    /// Reads an app from JSON that ``write(to:)`` wrote; returns `nil` for any other JSON.
    init?(_ object: FlatObject) {
        guard let item = object.string("item").value.flatMap({ AppleItemID(text: $0) }),
            let version = object.string("version").value.flatMap({ AppleVersionID(text: $0) })
        else { return nil }
        self.init(
            item: item, version: version, bundleID: object.string("bundleID").value,
            givenName: object.string("name").value, isMarketplace: object.boolean("isMarketplace").value ?? false,
            account: object.string("account").value.flatMap { AccountID($0) }, reason: object.string("reason").value)
    }

    /// Writes the app into the JSON of the device's file.
    func write(to object: inout JSONObjectWriter) {
        object.member("item", item.description)
        object.member("version", version.description)
        object.member("bundleID", bundleID)
        object.member("name", givenName)
        object.member("isMarketplace", isMarketplace)
        object.member("account", account?.text)
        object.member("reason", reason)
    }
}
