import TenureCore
import TenureFormats

extension CatalogField<Tenant> {
    /// The brand of the tenant's pages, such as its logo and colors; `null` is the same as a missing member.
    static var brand: Self {
        Self(
            "brand", schema: { _ in Brand.section.schema }, text: { ($0.brand ?? Brand()).text },
            { node, tenant, reader in
                guard node.value != .null else { return }
                var brand = Brand()
                Brand.section.fill(&brand, from: Brand.section.members(of: node, &reader), of: node, &reader)
                tenant.brand = brand
            })
    }
}

extension Brand {
    fileprivate static let section = CatalogObject(
        "How the tenant's pages look.", sample: Brand(), isNullable: true,
        [
            .text("name", \.name, "The name at the top of pages; by default the tenant's name."),
            .logo,
            .accent(
                "accent", \.accent, on: .lightGround, "light", advice: "a darker",
                "The color of links and buttons, as #rrggbb. It needs a contrast of 4.5 with the light background."),
            .accent(
                "accentDark", \.accentDark, on: .darkGround, "dark", advice: "a lighter",
                "The same for dark backgrounds; by default `accent`, lightened as far as needed."),
            .webURL("homepage", \.homepage, "The page that the name and the logo lead to."),
        ]
    ) { brand, members, node, reader in
        if brand.accentDark != nil, brand.accent == nil, members["accent"] == nil {
            reader.report(node, "needs \"accent\" if it has \"accentDark\"")
        }
    }

    /// The brand in one line, for the report of a plan.
    fileprivate var text: String {
        let parts = [
            name, accent?.description, accentDark?.description, homepage,
            logo.map { "logo \(Hex.encode($0.digest.bytes).prefix(8))" },
        ].compactMap(\.self)
        return parts.isEmpty ? "none" : parts.joined(separator: " ")
    }
}

extension CatalogField<Brand> {
    fileprivate static func accent(
        _ name: String, _ path: any WritableKeyPath<Brand, RGBColor?> & Sendable, on ground: RGBColor, _ side: String,
        advice: String, _ sentence: String
    ) -> Self {
        Self(
            name, schema: { _ in Schema.text(pattern: "^#[0-9a-fA-F]{6}$").orNull.described(sentence) },
            text: { $0[keyPath: path]?.description ?? "none" }
        ) { node, brand, reader in
            guard node.value != .null else { return }
            guard case .string(let text) = node.value, let color = RGBColor(text) else {
                return reader.report(node, "must be a color such as \"#0a58ca\"")
            }
            guard color.isReadable(on: ground) else {
                let contrast = (color.contrast(with: ground) * 10).rounded(.down) / 10
                return reader.report(
                    node,
                    "has a contrast of \(contrast) with the \(side) background, and needs 4.5; choose \(advice) color")
            }
            brand[keyPath: path] = color
        }
    }

    /// The path of an image file, absolute or relative to the catalog file.
    fileprivate static var logo: Self {
        Self(
            "logo",
            schema: { _ in
                Schema.text(length: 1...1024).orNull.described(
                    "The path of a PNG, JPEG or WebP image of at most 64 KiB, relative to the catalog file.")
            }, text: { $0.logo.map { Hex.encode($0.digest.bytes) } ?? "none" }
        ) { node, brand, reader in
            guard let path = reader.text(node, limit: 1024) else { return }
            do throws(CatalogReader.FileError) {
                guard let bytes = try reader.files.bytes(of: path, in: nil, limit: LogoFile.largest) else {
                    return reader.report(node, "there is no file \(path)")
                }
                if let fault = LogoFile.fault(of: bytes) { return reader.report(node, fault) }
                brand.logo = Brand.Logo(bytes, digest: .sha256(of: bytes))
            } catch {
                reader.report(node, error.message)
            }
        }
    }
}
