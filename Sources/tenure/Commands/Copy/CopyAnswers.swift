import TenureCommandLine
import TenureCrypto
import TenureFormats
import TenureServer
import TenureStore

extension Console {
    /// Answers how many rows each part has, and by which digest they are known.
    func answer(copied parts: [PartDigest], asJSON: Bool) {
        guard asJSON else {
            var table = Table([.text("part"), .number("rows"), .text("sha-256")])
            for part in parts { table.add([part.part.rawValue, part.rows.grouped, part.prefix]) }
            table.add(["all", parts.reduce(0) { $0 + $1.rows }.grouped])
            return answer(table)
        }
        for part in parts {
            answer { body in
                body.member("part", part.part.rawValue)
                body.member("rows", part.rows)
                body.member("sha256", Hex.encode(part.digest))
            }
        }
    }

    /// Shows on the error output which parts differ.
    func show(differences wanted: [PartDigest], _ kept: [PartDigest]) {
        for (wanted, kept) in zip(wanted, kept) where wanted != kept {
            fail(
                "\(wanted.part.rawValue): \(wanted.rows.grouped) rows (\(wanted.prefix)) were copied, "
                    + "\(kept.rows.grouped) (\(kept.prefix)) are there")
        }
    }
}

extension PartDigest {
    /// The first digits, enough for a person to compare.
    fileprivate var prefix: String { String(Hex.encode(digest).prefix(12)) }
}
