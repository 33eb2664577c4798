import TenureCore

/// A country or region that Apple sells in, as an ISO 3166-1 alpha-3 code.
///
/// Apple uses `XKS` for Kosovo.
public struct Territory: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The code in three capital letters; two for an unknown two-letter code.
    public let code: String

    /// Creates a territory from any three ASCII letters in upper or lower case; returns `nil` for any other text.
    ///
    /// The letters needn't be a known code, because Apple may add new ones.
    public init?(alpha3 text: some StringProtocol) {
        guard text.utf8.count == 3, text.utf8.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else { return nil }
        code = text.uppercased()
    }

    /// Parses a territory sent by a marketplace app, as two or three letters.
    ///
    /// An unknown two-letter code is kept as it is. App Store Connect's reports use three letters, so no report names
    /// such a territory. The result is `nil` for any other text.
    public init?(named text: some StringProtocol) {
        if let territory = Territory(alpha3: text) {
            self = territory
            return
        }
        guard text.utf8.count == 2, text.utf8.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else { return nil }
        let alpha2 = text.uppercased()
        code = Self.alpha3[alpha2] ?? alpha2
    }

    /// The same as ``code``, for messages.
    public var description: String { code }

    /// Orders territories by their codes.
    public static func < (one: Territory, other: Territory) -> Bool { one.code < other.code }

    /// The member states of the European Union.
    public static let europeanUnion: Set<Territory> = Set(
        """
        AUT BEL BGR HRV CYP CZE DNK EST FIN FRA DEU GRC HUN IRL ITA LVA LTU LUX MLT NLD POL PRT ROU SVK SVN ESP SWE
        """.split(atByte: " ").compactMap { Territory(alpha3: $0) })

    /// The alpha-3 codes by alpha-2 code.
    private static let alpha3: [String: String] = {
        var codes: [String: String] = [:]
        for pair in pairs.lines.flatMap({ $0.split(atByte: " ") }) where pair.utf8.count == 5 {
            codes[String(pair.prefix(2))] = String(pair.dropFirst(2))
        }
        return codes
    }()

    private static let pairs = """
        ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB
        BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR
        BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR
        CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK
        FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS
        GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN
        ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO
        LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD
        MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER
        NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM
        PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP
        SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF
        TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY
        UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM XKXKS YEYEM YTMYT ZAZAF ZMZMB ZWZWE
        """
}
